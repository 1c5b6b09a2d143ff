import { STATUS_CODES } from 'node:http'
import { cutText } from '../text/cut-text.js'

/** Maximum length of a reason phrase. Characters. */
const MAX_REASON = 100

/** Returns the printable part of a reason phrase, which a server may fill with a text of any length, or else the status's name. */
export const readReason = (statusCode: number, statusText: string): string =>
  cutText(statusText.replace(/[^\p{L}\p{N}\p{P}\p{S} ]+/gu, ' ').trim(), MAX_REASON) ||
  STATUS_CODES[statusCode] ||
  `HTTP ${statusCode}`
