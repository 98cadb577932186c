man ft
