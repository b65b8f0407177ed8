# 

list-clauses = {"; "}
list-names = {", "}
quantity = { $value }
quantity-iops = { $value } IOPS

