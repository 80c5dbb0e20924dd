import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BodyRoom } from './body-room.ts'

/** A room for 100 bytes, and the names of the bodies that it has refused. */
function aRoom({ leavesRoom = false } = {}) {
  const room = new BodyRoom(100, { leavesRoom })
  const refused: string[] = []
  return {
    room,
    refused,
    begin: (name: string, network: string) => room.begin(network, () => refused.push(name)),
  }
}

test('beyond the bound the oldest body of the network with the most bytes is refused, and no other', () => {
  const { room, refused, begin } = aRoom()
  room.grow(begin('other', 'b'), 10)
  const many = ['first', 'second', 'third'].map((name) => begin(name, 'a'))
  for (const body of many) room.grow(body, 30)
  assert.deepEqual(refused, [])
  room.grow(begin('late', 'c'), 20)
  assert.deepEqual(refused, ['first'])
  room.grow(begin('more', 'c'), 11)
  assert.deepEqual(refused, ['first', 'second'])
})

test('a body that has arrived whole takes up room until its answer, and is not refused', () => {
  const { room, refused, begin } = aRoom()
  const whole = begin('whole', 'a')
  room.grow(whole, 90)
  room.arrived(whole)
  room.grow(begin('next', 'a'), 20)
  assert.deepEqual(refused, ['next'])
  room.leave(whole)
  room.leave(whole)
  room.grow(begin('after', 'a'), 100)
  assert.deepEqual(refused, ['next'])
  room.grow(begin('beyond', 'a'), 1)
  assert.deepEqual(refused, ['next', 'after'])
})

test('whole bodies of one network leave as much free as they take up, and of two networks a third', () => {
  const { room, refused, begin } = aRoom({ leavesRoom: true })
  const whole = (name: string, network: string, bytes: number): void => {
    const body = begin(name, network)
    room.grow(body, bytes)
    room.arrived(body)
  }
  whole('half', 'a', 50)
  room.grow(begin('above half', 'a'), 1)
  assert.deepEqual(refused, ['above half'])
  whole('other', 'b', 25)
  room.grow(begin('above', 'b'), 1)
  assert.deepEqual(refused, ['above half', 'above'])
  whole('third', 'c', 12)
  assert.deepEqual(refused, ['above half', 'above'])
})

test('a network with less is not refused for one whose bodies have arrived', () => {
  const { room, refused, begin } = aRoom()
  const whole = begin('whole', 'a')
  room.grow(whole, 60)
  room.arrived(whole)
  room.grow(begin('next', 'a'), 10)
  room.grow(begin('other', 'b'), 31)
  assert.deepEqual(refused, ['next'])
})

test('a body that leaves after it has arrived leaves the others as they were', () => {
  const { room, refused, begin } = aRoom()
  const whole = begin('whole', 'a')
  room.grow(whole, 10)
  room.arrived(whole)
  room.grow(begin('next', 'a'), 60)
  room.leave(whole)
  room.grow(begin('other', 'b'), 50)
  assert.deepEqual(refused, ['next'])
})

test('as many bodies are refused as it takes, and none of which nothing is counted', () => {
  const { room, refused, begin } = aRoom()
  begin('short', 'a')
  for (const name of ['first', 'second', 'third']) room.grow(begin(name, 'a'), 30)
  room.grow(begin('long', 'b'), 50)
  assert.deepEqual(refused, ['first', 'second'])
})
