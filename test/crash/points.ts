/**
 * Where a service of these tests is killed, or its vault is: at the nth time that a request passes the point.
 * `external` is no point: the service runs as it is delivered, and is killed from outside at some instant under load.
 */
export const points = [
  'host-before-decision',
  'host-after-decision',
  'host-while-writing',
  'host-after-write',
  'host-after-answer',
  'vault-before-decision',
  'vault-after-decision',
  'vault-after-write',
] as const

export type Point = (typeof points)[number]

export function isPoint(text: string): text is Point {
  return points.some((point) => point === text)
}
