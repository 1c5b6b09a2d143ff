import { shortenText } from '../../base/text/cut-text.js'
import { findField, isCodeName, isTyped } from './fill-form.js'
import type { LoginOptions } from './login-options.js'
import type { PageForm } from './page-forms.js'

/** Fields of a page that a message names, and characters of each name. */
const MAX_FIELDS = 10
const MAX_NAME = 40

const ROLES = '`username`, `password` and `code` fit any field of their kind'

/** Says which options of a login fit no field of these forms, what those are called, and what would fit; empty if each fits one. */
export function describeMisfits(login: Pick<LoginOptions, 'fields' | 'secrets'>, forms: readonly PageForm[]): string {
  const misfits = listMisfits(login, forms)
  if (misfits.length === 0) return ''
  const names = forms.flatMap(({ fields }) => fields.filter(isTyped).map(({ name, hints: [id = ''] }) => name || id))
  const seen = [...new Set(names.filter((name) => name !== ''))].slice(0, MAX_FIELDS)
  const fields = seen.map((name) => `\`${shortenText(name.replace(/[\s`]+/g, ' '), MAX_NAME)}\``).join(', ')
  const fault = `${misfits.join(' and ')} ${misfits.length === 1 ? 'fits' : 'fit'} no field of its page`
  if (fields === '') return `${fault}, which has none: is \`url\` that of the page with the form?`
  return `${fault}, which has ${fields}: give the name or id of one; ${ROLES}`
}

/** Lists the options whose names fit no field. What is a one-time code may be asked for later. */
function listMisfits({ fields = {}, secrets = {} }: Parameters<typeof describeMisfits>[0], forms: readonly PageForm[]) {
  const named = [
    ...Object.keys(fields).map((name) => ['fields', name] as const),
    ...Object.entries(secrets).flatMap(([name, secret]) =>
      typeof secret === 'object' && 'totp' in secret ? [] : [['secrets', name] as const],
    ),
  ]
  return named.flatMap(([option, name]) => {
    const isFound = isCodeName(name) || forms.some((form) => findField(form, name) !== undefined)
    return isFound ? [] : [`\`${option}.${name}\``]
  })
}

/** Tests for a form that would be sent without the name or the password that it asks for. */
export const lacksValue = ({ fields, user, password }: PageForm, wanted: ReadonlyMap<number, string>): boolean =>
  [user, password].some((index = -1) => {
    const field = fields[index]
    return field !== undefined && field.value === '' && !field.isHidden && !wanted.has(index)
  })
