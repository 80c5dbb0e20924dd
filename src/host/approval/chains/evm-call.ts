import { fromHex, toHex } from '../../../trusted/base/bytes.ts'
import { Caseless } from '../../../trusted/base/caseless.ts'
import { finished } from '../../../trusted/base/work.ts'
import { type ContractCall, callSteps, ethereumInterfaceSteps } from '../../../trusted/chains/ethereum/abi.ts'
import type { SeenFields, SeenValue } from '../../../trusted/chains/transaction.ts'
import { amountText, type Unit } from '../amounts.ts'
import { fact, type Reading, reading } from '../fact.ts'
import { numberIn, seenFacts, textIn } from '../seen-facts.ts'
import { several } from '../several.ts'
import { knownCallsAbi } from './known-calls.ts'
import { type Token, tokenUnit } from './known-tokens.ts'

/** A call of a contract, as it is in the bytes. */
type EvmCall = {
  /** The name of the network among these tokens. */
  readonly network: string
  readonly tokens?: readonly Token[]
  /** The text for display. */
  readonly contract: string
  readonly value: bigint
  readonly coin: Unit
  readonly data: Uint8Array
  /** The form in which an address among the arguments is shown. */
  readonly addressText: (address: string) => string
}

/** The meaning of a call of a contract. An unknown function cannot be explained: its name is not in the bytes. */
export function readEvmCall(call: EvmCall, depth = 0): Reading {
  const { contract, data, value, coin } = call
  const paying = value === 0n ? '' : `, paying ${amountText(value, coin)}`
  const known = finished(callSteps(knownInterface(), data))
  if (known === undefined || !isWholeCall(known, data)) {
    const selector = `0x${toHex(data.subarray(0, 4))}`
    return reading(
      `Call the contract ${contract} with ${data.length} bytes that cannot be read here${paying}.`,
      {
        facts: [fact('Function', `${selector}, which is not known here`, { tone: 'unknowable' })],
        unknowable: [
          `The call of ${contract} (${selector}) cannot be read: it may move any amount of any token, or hand over rights.`,
        ],
      },
    )
  }
  const args = shownArguments(known.args, call.addressText)
  const meant = meaningOf(known.functionName, known.args, args, call, depth)
  return {
    ...meant,
    sentence: `${meant.sentence.replace(/\.$/, '')}${paying}.`,
    facts: [
      fact('Contract', contract, { nameable: contract }),
      fact('Function', `${known.functionName} (${known.functionSignature}), as its standard has it`),
      ...Object.keys(known.args).flatMap((name) => seenFacts(args[name], `Argument ${name}`)),
      ...meant.facts,
    ],
  }
}

/** If the arguments differ from the canonical encoding, readers may interpret them in different ways. */
function isWholeCall({ functionName, args }: ContractCall, data: Uint8Array): boolean {
  return Object.keys(args).length > 0 || (data.length === 4 && WITHOUT_ARGUMENTS.includes(functionName))
}

function meaningOf(name: string, args: SeenFields, shown: SeenFields, call: EvmCall, depth: number): Reading {
  const { contract } = call
  const text = (field: string): string => textIn(shown, field)
  const amount = numberIn(args, 'amount') ?? numberIn(args, 'value') ?? 0n
  const tokens = tokensText(amount, call)
  const unlimited = amount >= UNLIMITED_FROM || amount === UINT96_MAX
  switch (name) {
    case 'transfer':
      return reading(`Send ${tokens} to ${text('to')}.`)
    case 'transferFrom':
      return reading(`Send ${tokens} from ${text('from')} to ${text('to')}.`)
    case 'approve':
    case 'increaseAllowance':
    case 'permit': {
      const token = text('token')
      const what = token === '' ? tokens : `${amount} smallest units of the token ${token}`
      const sum = unlimited ? `WITHOUT LIMIT the tokens of ${token || contract}` : what
      return reading(`Let ${text('spender')} take ${sum}.`, {
        dangers: [
          `${text('spender')} may take ${unlimited ? 'ALL tokens of this contract, now and in the future' : 'these tokens at any time'}, without asking again.`,
        ],
      })
    }
    case 'decreaseAllowance':
      return reading(`Let ${text('spender')} take less than before, by ${tokens}.`)
    case 'setApprovalForAll': {
      if (args['approved'] !== true)
        return reading(`Take back from ${text('operator')} the right to move the tokens of ${contract}.`)
      return reading(`Let ${text('operator')} move EVERY token of the collection ${contract}.`, {
        dangers: [`${text('operator')} may take ALL tokens of this collection, now and in the future.`],
      })
    }
    case 'safeTransferFrom':
    case 'safeBatchTransferFrom':
      return reading(`Send tokens of the collection ${contract} from ${text('from')} to ${text('to')}.`)
    case 'deposit':
      return reading(`Deposit with the contract ${contract}.`)
    case 'withdraw':
      return reading(`Withdraw ${tokens} from the contract ${contract}.`)
    case 'upgradeTo':
    case 'upgradeToAndCall':
      return reading(`Replace the code of the contract ${contract} by that of ${text('implementation')}.`, {
        dangers: [
          `The new code at ${text('implementation')} may do anything with all that ${contract} holds.`,
        ],
        unknowable: name === 'upgradeTo' ? [] : ['The call of the new code cannot be read.'],
      })
    case 'changeAdmin':
    case 'transferOwnership':
    case 'renounceOwnership':
    case 'grantRole':
    case 'enableModule':
    case 'addOwnerWithThreshold': {
      const to = ['admin', 'owner', 'account', 'module'].map(text).find(Boolean) ?? 'nobody'
      return reading(`Hand rights over the contract ${contract} to ${to} (${name}).`, {
        dangers: [`${to} gets rights over ${contract}, and this account may lose its own.`],
      })
    }
    case 'execTransaction':
      return executed(args, shown, call, depth)
    case 'multicall':
      return eachOf(args, call, depth)
  }
  return reading(`Call ${name} of the contract ${contract}.`, {
    unknowable: [`The effect of ${name} is not known here.`],
  })
}

/** A Safe executes its own call, or runs the code of another contract as its own. */
function executed(args: SeenFields, shown: SeenFields, call: EvmCall, depth: number): Reading {
  const to = textIn(shown, 'to')
  // The Safe pays for gas out of what it holds, and the request names the price.
  const gas = numberIn(args, 'gasPrice') === 0n ? [] : [GAS]
  if (numberIn(args, 'operation') !== 0n) {
    const length = bytesOf(args['data'])?.length ?? 0
    return reading(
      `Have the Safe ${call.contract} run the code of ${to} as its own (DELEGATE CALL), with ${length} bytes.`,
      {
        dangers: [
          `The code of ${to} runs AS the Safe ${call.contract} (delegate call): it may take everything there.`,
          ...gas,
        ],
        // The standard of a function binds no code that runs as another contract: what looks like a transfer in the
        // bytes may replace the code of the Safe.
        unknowable: [
          `Nothing can be known of what the code of ${to} does as the Safe, whatever its bytes are.`,
        ],
      },
    )
  }
  const inner = innerCall(
    { ...call, contract: to, value: numberIn(args, 'value') ?? 0n },
    args['data'],
    depth,
  )
  return {
    ...inner,
    sentence: `Have the Safe ${call.contract} do this: ${inner.sentence}`,
    dangers: [...gas, ...inner.dangers],
  }
}

const GAS = 'The Safe pays refundReceiver for gas: it may take everything there.'

function eachOf(args: SeenFields, call: EvmCall, depth: number): Reading {
  const list = args['data']
  const calls = Array.isArray(list) ? list.map((data) => innerCall({ ...call, value: 0n }, data, depth)) : []
  return {
    sentence: `Do ${calls.length} things at once: ${several(calls.map(({ sentence }) => sentence))}`,
    facts: calls.flatMap(({ facts }, index) =>
      facts.map((each) => ({ ...each, label: `Call ${index + 1}: ${each.label}` })),
    ),
    dangers: calls.flatMap(({ dangers }) => dangers),
    unknowable: calls.flatMap(({ unknowable }) => unknowable),
  }
}

function innerCall(call: EvmCall, value: SeenValue | undefined, depth: number): Reading {
  const data = bytesOf(value)
  const deep = 'A call within calls is nested too deeply to be read.'
  if (data === undefined || depth >= DEPTH_MAX) return reading(deep, { unknowable: [deep] })
  if (data.length === 0) return reading(`Send ${amountText(call.value, call.coin)} to ${call.contract}.`)
  return readEvmCall({ ...call, data }, depth + 1)
}

function bytesOf(value: SeenValue | undefined): Uint8Array | undefined {
  return fromHex((value instanceof Caseless ? value.text : String(value)).replace(/^0x/, ''))
}

/** @param args  those of `execTransaction`, without the signatures */
export function readSafeCall(args: SeenFields, call: EvmCall): Reading {
  return executed(args, shownArguments(args, call.addressText), call, 0)
}

function tokensText(amount: bigint, { network, contract, tokens }: EvmCall): string {
  const unit = tokenUnit(network, contract, tokens)
  return unit === undefined
    ? `${amount} smallest units (or the number ${amount}) of the token ${contract}`
    : `${amountText(amount, unit)} of the token ${contract}`
}

function shownArguments(args: SeenFields, addressText: EvmCall['addressText']): SeenFields {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      value instanceof Caseless && /^0x[0-9a-fA-F]{40}$/.test(value.text) ? addressText(value.text) : value,
    ]),
  )
}

function knownInterface() {
  return finished(ethereumInterfaceSteps(knownCallsAbi()))
}

const WITHOUT_ARGUMENTS: readonly string[] = ['deposit', 'renounceOwnership']
/**
 * No token has so many units, so the whole balance may be taken. Wallets write 2^256 - 1, and some write 2^160 - 1 or
 * 2^96 - 1.
 */
const UNLIMITED_FROM = 2n ** 127n
const UINT96_MAX = 2n ** 96n - 1n
const DEPTH_MAX = 4
