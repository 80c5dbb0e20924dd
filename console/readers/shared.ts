// What the readers and the pages of policies are made of alike is one file, and not one for each set of them.
import '../../src/host/approval/amounts.ts'
import '../../src/trusted/base/assert.ts'
import '../../src/trusted/base/caseless.ts'
import '../platform/costs.ts'
import '../../src/trusted/crypto/eip55.ts'
