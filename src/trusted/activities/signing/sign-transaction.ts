import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import type { ObjectsNeed } from '../../catalogue/objects.ts'
import { object, oneOf, text, uuid } from '../../catalogue/shape.ts'
import { contractsCalled } from '../../chains/contracts-called.ts'
import {
  invalidTransaction,
  unreadableTransaction,
  unsupportedTransactionType,
  wrongCurveForTransaction,
} from '../../chains/failures.ts'
import { chains, declaredChains } from '../../chains/list.ts'
import { transactionSteps, transactionTypes } from '../../chains/read-transaction.ts'
import { checkInterfacesBrought, contractInterfacesChanged } from '../../charter/contract-interfaces.ts'
import { string } from '../../policy/types.ts'
import {
  entriesOf,
  interfacesFor,
  interfacesOf,
  type SmartContractInterface,
} from '../../objects/contract-interface.ts'
import { signEach } from './sign-payload.ts'
import {
  type SigningNeeds,
  signingKey,
  signingKeyFailures,
  signingNamespace,
  signingNeeds,
} from './signing-key.ts'
import { transactionNamespace } from './transaction-namespace.ts'

// A PSBT of this length takes the vault half a second at worst.
const TRANSACTION_CHARACTERS_MAX = 262_144

const what = {
  unsignedTransaction: text({ min: 1, max: TRANSACTION_CHARACTERS_MAX }),
  type: oneOf(transactionTypes),
}
const intentV1 = object({ privateKeyId: uuid, ...what })
const intent = object({ signWith: text({ min: 1, max: 256 }), ...what })

// The example is that of the first chain.
const [first] = declaredChains

export const signTransaction = defineActivity({
  operation: 'sign_transaction',
  summary: 'Sign a transaction with a private key or a wallet account',
  forms: form('ACTIVITY_TYPE_SIGN_TRANSACTION', intentV1, {
    key: 'signTransactionResult',
    shape: object({ signedTransaction: text({ max: 2 * TRANSACTION_CHARACTERS_MAX }) }),
  }).next('ACTIVITY_TYPE_SIGN_TRANSACTION_V2', intent, {
    up: ({ privateKeyId, ...rest }) => ({ signWith: privateKeyId, ...rest }),
    by: 'signWith',
  }),
  resource: 'PRIVATE_KEY',
  action: 'SIGN',
  authority: { kind: 'policies' },
  amends: false,
  fails: [
    ...signingKeyFailures,
    unreadableTransaction,
    unsupportedTransactionType,
    invalidTransaction,
    wrongCurveForTransaction,
    ...chains.flatMap(({ transaction }) => transaction?.fails ?? []),
    contractInterfacesChanged,
  ],
  example: {
    intent: {
      signWith: first.example.signWith,
      unsignedTransaction: first.example.unsigned,
      type: first.transaction.type,
    },
    result: { signedTransaction: '02f86c0180843b9aca00…' },
  },
  params: { types: { type: string }, of: ({ type }) => ({ type }) },
  needs: ({ signWith, type, unsignedTransaction }): Needed => ({
    ...signingNeeds(signWith),
    interfaces: interfacesFor(contractsCalled(type, unsignedTransaction)),
  }),
  namespaces: { ...signingNamespace, ...transactionNamespace },
  // Policies are evaluated only for a transaction that can be signed: invalid input is refused first, and leaves no
  // record.
  *prepare({ intent: asked, rows }) {
    const key = signingKey(rows, asked.signWith)
    const { curve, publicKey } = key
    const interfaces = interfacesOf(rows.interfaces)
    const transaction = yield* transactionSteps({ ...asked, signer: { curve, publicKey }, interfaces })
    return { key, transaction }
  },
  facts: ({ prepared: { key, transaction } }) => ({ ...key.facts, ...transaction.seen }),

  async execute({ intent, charter, rows, prepared: { key, transaction }, work }) {
    const { type, unsignedTransaction } = intent
    checkInterfacesBrought(charter, contractsCalled(type, unsignedTransaction), entriesOf(rows.interfaces))
    const signatures = await signEach(key, transaction.toSign, work)
    return { result: { signedTransaction: transaction.signed(signatures) } }
  },
})

type Needed = SigningNeeds & { readonly interfaces: ObjectsNeed<SmartContractInterface> }
