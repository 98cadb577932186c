wil 70B fti on 64 A8000
