import { resolveUrl } from '../../base/url.js'
import { readTags } from '../../content/html/scan-tags.js'
import { addressOf } from './address-of.js'
import { fieldNames } from './login-words.js'

/** A field of a form. Plain data. */
export interface FormField {
  readonly name: string
  /** `text`, `password`, `hidden`, `checkbox`, … of an input, or the name of the element. */
  readonly type: string
  readonly value: string
  /** Its id, `autocomplete` and placeholder, for those who look for a field. */
  readonly hints: readonly string[]
  /** True for a box or a choice that is not taken, which is not sent. */
  readonly isOff?: true
  /** True for one that no visitor sees, such as a trap for programs. */
  readonly isHidden?: true
}

/** A form of a page. Plain data. */
export interface PageForm {
  /** Absolute. */
  readonly action: string
  readonly method: 'get' | 'post'
  readonly fields: readonly FormField[]
  /** Index of its one field for a password; undefined without one, and for a form that sets one. */
  readonly password?: number
  /** Index of its one field for a new password. */
  readonly newPassword?: number
  /** Index of its field for a one-time code. */
  readonly code?: number
  /** Index of its field for a name. */
  readonly user?: number
  /** True for a form that asks for a name alone, by which somebody logs in. */
  readonly isFirstStep: boolean
  /** True for a form beside the content. */
  readonly isBox: boolean
  /** True for one in an element that is hidden, such as a menu: a script may show it as well. */
  readonly isClosed?: boolean
  /** The same for forms that ask for the same at the same place. */
  readonly signature: string
}

const TAGS: ReadonlySet<string> = new Set(['input', 'select', 'option', 'button', 'textarea'])
const TYPED: ReadonlySet<string> = new Set(['text', 'email', 'tel', 'number', 'search', ''])
const MAX_FIELDS = 200

/** Reads a form from its source, which begins behind the name of its tag. */
export function readForm(
  source: string,
  { base, isBox }: { readonly base: string; readonly isBox: boolean },
): PageForm {
  const [start] = readTags(`<form${source.startsWith('>') ? '' : ' '}${source}`, new Set(['form']))
  const fields: FormField[] = []
  for (const { name: tag, attributes } of readTags(source, TAGS)) {
    if (fields.length === MAX_FIELDS) break
    const get = (name: string): string => attributes.get(name) ?? ''
    const last = fields.at(-1)
    if (tag === 'option') {
      // The first option, or the one that is chosen, is the value of its choice.
      const isChosen = attributes.has('selected') || last?.hints[0] === undefined
      if (last?.type === 'select' && isChosen)
        fields[fields.length - 1] = { ...last, value: get('value'), hints: ['chosen'] }
      continue
    }
    if (attributes.has('disabled')) continue
    const type =
      tag === 'input' ? get('type').toLowerCase() : tag === 'button' ? get('type').toLowerCase() || 'submit' : tag
    const isTick = type === 'checkbox' || type === 'radio'
    const hints = tag === 'select' ? [] : [get('id'), get('autocomplete'), get('placeholder')]
    const value = isTick && !attributes.has('value') ? 'on' : get('value')
    const isOff = isTick && !attributes.has('checked') ? { isOff: true as const } : {}
    const isTrap = isUnseen(attributes) ? { isHidden: true as const } : {}
    fields.push({ name: get('name'), type, value, hints, ...isOff, ...isTrap })
  }
  return describeForm(fields, {
    action: resolveUrl(start?.attributes.get('action') ?? '', base)?.href ?? base,
    method: start?.attributes.get('method')?.toLowerCase() === 'post' ? 'post' : 'get',
    isBox: isBox || isHidden(start?.attributes),
  })
}

/** Tests for an element that is not shown as it comes. */
export const isHidden = (attributes: ReadonlyMap<string, string> | undefined): boolean =>
  attributes !== undefined &&
  (attributes.has('hidden') || /display\s{0,9}:\s{0,9}none/i.test(attributes.get('style') ?? ''))

/** Tests for a field that asks a visitor for a text. */
export const isAsked = ({ type, isHidden: isTrap }: FormField): boolean => TYPED.has(type) && isTrap !== true

/** Tests for a field that no visitor sees or reaches. */
const isUnseen = (attributes: ReadonlyMap<string, string>): boolean =>
  isHidden(attributes) ||
  attributes.get('tabindex') === '-1' ||
  attributes.get('aria-hidden') === 'true' ||
  /visibility\s{0,9}:\s{0,9}hidden|(?:left|top)\s{0,9}:\s{0,9}-\d{3}/i.test(attributes.get('style') ?? '')

function describeForm(fields: readonly FormField[], place: Pick<PageForm, 'action' | 'method' | 'isBox'>): PageForm {
  const passwords = fields.flatMap(({ type }, index) => (type === 'password' ? [index] : []))
  const [first = -1] = passwords
  const { hints: [, kept = ''] = [] } = fields[first] ?? {}
  const setsOne = passwords.length > 1 || kept === 'new-password'
  const isTyped = ({ type }: FormField): boolean => TYPED.has(type)
  const isNamed = ({ name, hints }: FormField, pattern: RegExp): boolean =>
    [name, ...hints.slice(0, 2)].some((text) => pattern.test(text))
  const code = fields.findIndex(
    (field) => isTyped(field) && (field.hints.includes('one-time-code') || isNamed(field, fieldNames.code)),
  )
  const named = fields.findIndex(
    (field, index) => index !== code && isTyped(field) && (field.type === 'email' || isNamed(field, fieldNames.user)),
  )
  const before = fields.findLastIndex((field, index) => index < first && index !== code && isTyped(field))
  const user = named === -1 ? before : named
  const found = {
    // One that a browser is not to know, beside no name, is a key that is kept here.
    password: first === -1 || setsOne || (kept === 'off' && user === -1) ? undefined : first,
    newPassword: passwords.length === 1 && setsOne ? first : undefined,
    code: code === -1 ? undefined : code,
    user: user === -1 ? undefined : user,
  }
  const secrets = `${found.password === undefined ? '' : 'password'} ${found.code === undefined ? '' : 'code'}`
  // The form of a name alone is a step of its own. One that asks for nothing may sign out at the same place.
  const asks = secrets === ' ' && found.user !== undefined ? 'user' : secrets
  const isFirstStep = asks === 'user' && fields[user]?.hints.some((hint) => /^username\b/.test(hint)) === true
  return { ...place, fields, ...found, isFirstStep, signature: `${addressOf(place.action)} ${asks}` }
}
