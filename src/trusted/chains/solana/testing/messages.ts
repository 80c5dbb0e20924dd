import { base58 } from '@scure/base'
import type { Message } from '../message.ts'

export const SYSTEM = base58.decode('11111111111111111111111111111111')
export const TOKEN = base58.decode('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
export const TOKEN_2022 = base58.decode('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')

/** 32 bytes that are the same for the same number. */
export function key(number: number): Uint8Array {
  return new Uint8Array(32).fill(number)
}

export function address(number: number): string {
  return base58.encode(key(number))
}

/** A message with key 1 as fee payer and program 9, with the parts that a test sets. */
export function aMessage(message: Partial<Message>): Message {
  return {
    version: 'legacy',
    requiredSignatures: 1,
    readonlySigned: 0,
    readonlyUnsigned: 1,
    accountKeys: [key(1), key(2), key(9)],
    recentBlockhash: key(7),
    instructions: [],
    lookups: [],
    ...message,
  }
}

/** One instruction to a program with all accounts: the keys, then the program, then the looked-up accounts. */
export function calling(
  program: Uint8Array,
  {
    signers = [key(1)],
    others = [],
    data,
    ...rest
  }: {
    readonly signers?: readonly Uint8Array[]
    readonly others?: readonly Uint8Array[]
    readonly data: Uint8Array
  } & Partial<Message>,
): Message {
  const programIndex = signers.length + others.length
  return aMessage({
    requiredSignatures: signers.length,
    accountKeys: [...signers, ...others, program],
    instructions: [
      { programIndex, accountIndexes: Uint8Array.from({ length: programIndex }, (_, at) => at), data },
    ],
    ...rest,
  })
}

/** Little-endian fields: `['u8', 3], ['u64', 1n]`. */
export function data(...fields: readonly (readonly ['u8' | 'u32' | 'u64', number | bigint])[]): Uint8Array {
  return Buffer.concat(
    fields.map(([type, value]) => {
      const bytes = Buffer.alloc({ u8: 1, u32: 4, u64: 8 }[type])
      if (type === 'u64') bytes.writeBigUInt64LE(BigInt(value))
      else bytes.writeUIntLE(Number(value), 0, bytes.length)
      return bytes
    }),
  )
}
