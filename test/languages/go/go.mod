module claviger-languages

go 1.26
