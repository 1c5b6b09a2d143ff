import { describe } from 'vitest'
import { memoryLedger } from '../../src/ledger/ledgers/index.js'
import { ledgerContract } from '../contracts/ledger.contract.js'
import { ledgerCountersContract } from '../contracts/ledger-counters.contract.js'

describe('the memory ledger', () => {
  ledgerContract(memoryLedger)
  ledgerCountersContract(memoryLedger)
})
