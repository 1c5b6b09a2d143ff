import { createHash } from 'node:crypto'
import { makeUuid } from '../../base/uuid.js'
import type { LoginOptions } from './login-options.js'

/** Account that a login is for, as far as its options tell: functions do not. */
export interface Account {
  readonly host: string
  /** Identifies its texts, the variables of its secrets, and its actions. */
  readonly key: string
}

/** Reads whose login it is: two with other `fields`, or another `flow`, must never share a session. */
export function accountOf({ url, fields = {}, secrets = {}, flow }: LoginOptions): Account {
  const texts = [fields, secrets].map((record) => Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const told = flow === undefined ? texts : [...texts, flow]
  const key = createHash('sha256').update(JSON.stringify(told)).digest('hex').slice(0, 16)
  return { host: new URL(url).host, key }
}

/** Makes the id of a session, which says whose it is. */
export const makeSessionId = ({ host, key }: Account, nowMs: number): string => `${host} ${key} ${makeUuid(nowMs)}`

/** Id of a session that has ended, and that nobody takes over. */
export const NOBODY = '- - -'

/** Tells whose a kept session is. One that was not made by a login, whose id says nothing, is everybody's. */
export function ownerOf(id: string, own: Account): 'own' | 'another account' | 'another site' {
  const [host, key, nonce] = id.split(' ')
  if (nonce === undefined || (host === own.host && key === own.key)) return 'own'
  return host === own.host ? 'another account' : 'another site'
}
