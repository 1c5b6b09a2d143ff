import { openSocket } from './connect.js'
import type { Dial } from '../dial.js'
import type { Lookup } from './egress.js'

/** Connects straight to the site, at an address that `resolve` allows. */
export const createDirectDial =
  (resolve: Lookup): Dial =>
  (target, signal) =>
    openSocket(target, resolve, signal)
