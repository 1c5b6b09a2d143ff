import type { FilledValue, LoginFunctions } from './page-functions.js'

/** Name under which the page keeps what was filled in. */
const KEY = 'trawl-filled'
/** Times that the fields are looked for, and interval. Milliseconds. */
const MAX_LOOKS = 30
const LOOK_MS = 100

const TYPED = /^(?:text|email|tel|number|password|search|)$/
const CODE = /one-time-code|otp|totp|2fa|mfa|code|token|\bpin\b/i
const LOGIN = /log-?[io]n|sign-?[io]n|session|auth/i
const OTHER =
  /regist|sign[-_]?up|\bjoin\b|forgot|\blost|\breset|recover|subscri|newsletter|\bguests?\b|\bshare\b|\binvit/i
const USER = /user|mail|login|account|identifier|name/i

/** Fills in as a visitor does, also where a framework follows its fields. A form that comes back is not sent again. */
export const fillLogin: LoginFunctions['fillLogin'] = async (values, protocol) => {
  const filled = readFilled()
  for (let look = 0; look < MAX_LOOKS; look++) {
    const inputs = listInputs().filter((input) => protocol !== 'https:' || isSecure(input))
    const found = chooseFields(values, inputs)
    const last = found.at(-1)
    if (last) {
      if (found.every(({ name }) => filled.includes(name))) return 'again'
      for (const { value, input } of found) setValue(input, value)
      keepFilled([...filled, ...found.map(({ name }) => name)])
      // Behind the answer of this function, which ends with its document.
      setTimeout(() => send(last.input), 0)
      return 'filled'
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
  return 'none'
}

function readFilled(): readonly string[] {
  try {
    return (sessionStorage.getItem(KEY) ?? '').split('\n')
  } catch {
    return []
  }
}

function keepFilled(names: readonly string[]): void {
  try {
    sessionStorage.setItem(KEY, names.join('\n'))
  } catch {
    // A page without storage of its own is filled in once for each step.
  }
}

/** Tests whether a field is on a page of https, in a form that stays there. The form may have a field with the name `action`. */
const isSecure = ({ form }: HTMLInputElement): boolean =>
  location.protocol === 'https:' && !actionOf(form).startsWith('http:')

function actionOf(form: HTMLFormElement | null): string {
  const { get } = Object.getOwnPropertyDescriptor(HTMLFormElement.prototype, 'action') ?? {}
  return form ? String(get?.call(form)) : ''
}

function listInputs(): HTMLInputElement[] {
  const found: HTMLInputElement[] = []
  const roots: ParentNode[] = [document]
  for (let root = roots.pop(); root; root = roots.pop()) {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) roots.push(element.shadowRoot)
      if (!(element instanceof HTMLInputElement) || !TYPED.test(element.type)) continue
      if (!element.disabled && !element.readOnly && element.getClientRects().length > 0) found.push(element)
    }
  }
  return found
}

interface FoundField extends FilledValue {
  readonly input: HTMLInputElement
}

/** Tells by the address of a form whether it logs in: 1; -1 for one that does something else. A parameter with a path says what is next. */
function likeness(form: HTMLFormElement | null): number {
  const address = actionOf(form).replace(/[?&][^?&=]*=[^&]*(?:\/|%2f)[^&]*/gi, '')
  const path = address.replace(/^\w+:\/\/[^/]*/, '')
  return OTHER.test(path) ? -1 : Number(LOGIN.test(path))
}

/** Tests for a field that a visitor sees: a trap for programs is out of his way. */
const isSeen = (input: HTMLInputElement): boolean =>
  input.tabIndex >= 0 && input.closest('[aria-hidden=true]') === null && input.getBoundingClientRect().right > 0

/** Chooses the fields of the form that is most like a login. One to register has the same fields, and often more. */
function chooseFields(values: readonly FilledValue[], inputs: readonly HTMLInputElement[]): readonly FoundField[] {
  const forms = [...new Set(inputs.map(({ form }) => form))].map((form) => {
    const own = inputs.filter((input) => input.form === form)
    const found = values.flatMap((value): FoundField[] => {
      const input = findInput(value, own)
      return input ? [{ ...value, input }] : []
    })
    const passwords = own.filter(({ type }) => type === 'password')
    const alike = likeness(form)
    const isNew = passwords.some(({ autocomplete }) => autocomplete === 'new-password')
    const rank = rankOf(passwords.length, isNew, alike)
    const others = own.filter(
      (input) => input.value === '' && isSeen(input) && !found.some((one) => one.input === input),
    )
    return { found, rank, others: others.length, alike, isNew: Number(isNew) }
  })
  const some = forms.filter(({ found }) => found.length > 0)
  return (
    some.sort(
      (a, b) =>
        b.rank - a.rank ||
        b.alike - a.alike ||
        a.isNew - b.isNew ||
        b.found.length - a.found.length ||
        a.others - b.others,
    )[0]?.found ?? []
  )
}

/** Ranks a form: a password, the name alone of a first step or one that may set a password, a name elsewhere, one that sets a password. */
function rankOf(passwords: number, isNew: boolean, alike: number): number {
  if (passwords === 0) return alike === 1 ? 2 : 1
  if (passwords > 1) return 0
  if (!isNew || alike === 1) return 3
  return alike === 0 ? 2 : 0
}

const hintsOf = ({ name, id, autocomplete, placeholder, type }: HTMLInputElement): string =>
  [name, id, autocomplete, placeholder, type].join(' ')

function findInput({ name, role }: FilledValue, inputs: readonly HTMLInputElement[]): HTMLInputElement | undefined {
  const exact = inputs.find((input) => input.name === name || input.id === name)
  if (exact) return exact
  const password = inputs.find(({ type }) => type === 'password')
  if (role === undefined || role === 'password') return role && password
  const texts = inputs.filter(({ type }) => type !== 'password' && type !== 'search')
  if (role === 'code') return password ? undefined : texts.find((input) => CODE.test(hintsOf(input)))
  const users = texts.filter((input) => !CODE.test(hintsOf(input)))
  return users.find((input) => USER.test(hintsOf(input))) ?? users.at(-1)
}

/** Sets a value by the setter of the browser: frameworks put their own on the element. */
function setValue(input: HTMLInputElement, value: string): void {
  input.focus()
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {}
  set?.call(input, value)
  for (const type of ['input', 'change']) input.dispatchEvent(new Event(type, { bubbles: true, composed: true }))
}

function send(input: HTMLInputElement): void {
  const place = input.form ?? (input.getRootNode() as ParentNode)
  const buttons = [...place.querySelectorAll<HTMLButtonElement>('button, input[type=submit], [role=button]')].filter(
    (button) => button.getClientRects().length > 0 && button.type !== 'reset' && !button.disabled,
  )
  const button = buttons.find(({ type }) => type === 'submit') ?? buttons.at(-1)
  // A further window is closed unread.
  for (const [element, name] of [[input.form, 'target'] as const, [button, 'formtarget'] as const])
    if (element) Element.prototype.setAttribute.call(element, name, '_self')
  if (button) button.click()
  else if (input.form) input.form.requestSubmit()
  else input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
}
