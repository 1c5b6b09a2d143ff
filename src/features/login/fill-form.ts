import { fieldNames } from './login-words.js'
import type { FormField, PageForm } from './page-forms.js'

/** Purpose of what a login fills in. */
type FieldRole = keyof Pick<PageForm, 'user' | 'password' | 'code'>

/** Names of what a login fills in, by what they are for. */
const ROLES: readonly (readonly [FieldRole, RegExp])[] = [
  ['password', /^(?:password|passwd|pass)$/i],
  ['code', /^(?:code|otp|totp|token)$/i],
  ['user', fieldNames.user],
]

const FILLED: ReadonlySet<string> = new Set(['text', 'email', 'tel', 'number', 'password', 'search', ''])

/** Returns what a name is for: `username` fits every field for a name. @default it is that of one field */
export const roleOf = (name: string): FieldRole | undefined => ROLES.find(([, pattern]) => pattern.test(name))?.[0]

/** Tests for a field that a visitor types in. */
export const isTyped = ({ type }: FormField): boolean => FILLED.has(type)

/** Tests for a field that a visitor would fill in. */
export const isEmpty = (field: FormField): boolean => isTyped(field) && field.value === ''

/** Finds the field of a form for a name. @returns its index */
export function findField({ fields, ...form }: PageForm, name: string): number | undefined {
  const exact = fields.findIndex(
    ({ name: own, type, hints }) => FILLED.has(type) && (own === name || hints[0] === name),
  )
  if (exact !== -1) return exact
  const role = roleOf(name)
  if (role === undefined) return undefined
  if (form[role] !== undefined) return form[role]
  if (role !== 'code' || form.password !== undefined) return undefined
  const loose = fields.findIndex((field) => FILLED.has(field.type) && isNamed(field, fieldNames.anyCode))
  return loose === -1 ? undefined : loose
}

const isNamed = ({ name, hints }: FormField, pattern: RegExp): boolean =>
  [name, ...hints].some((text) => pattern.test(text))

/** Tests for a field that a one-time code goes into, by its index. */
export const isCodeField = ({ fields, user, password, code }: PageForm, index: number): boolean => {
  const field = fields[index]
  if (index === code) return true
  return index !== user && index !== password && field !== undefined && isNamed(field, fieldNames.anyCode)
}

/** Tests for the name of a one-time code, where its field is not known. */
export const isCodeName = (name: string): boolean => fieldNames.anyCode.test(name)

/** Encodes a form as a browser does, with its hidden fields, its choices and the button that sends it. @param values by index of the field */
export function encodeForm({ fields }: PageForm, values: ReadonlyMap<number, string>): string {
  const body = new URLSearchParams()
  let hasButton = false
  for (const [index, { name, type, value, isOff }] of fields.entries()) {
    if (name === '' || isOff || type === 'button' || type === 'reset' || type === 'file' || type === 'image') continue
    if (type === 'submit') {
      if (hasButton) continue
      hasButton = true
    }
    body.append(name, values.get(index) ?? value)
  }
  return body.toString()
}
