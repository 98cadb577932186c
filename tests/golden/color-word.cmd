list fabrics --color blue
