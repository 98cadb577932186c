list fabrics --format md
