list fabrics
