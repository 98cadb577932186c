schema shapes
