list fabrics --color always --json
