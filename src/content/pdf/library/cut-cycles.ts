import { constants, deflateSync, inflateSync } from 'node:zlib'
import { findStreams, PACKED } from './find-streams.js'
import { ObjectTexts } from './object-texts.js'

/** Form of a PDF file: a drawing that pages and other forms draw by a name. @see ISO 32000-1 section 8.10 */
interface Form {
  readonly number: number
  /** Offset of its bytes in the file. */
  readonly from: number
  readonly data: Buffer
  readonly isPacked: boolean
  /** Numbers of the forms that it can draw, by their names. */
  readonly names: ReadonlyMap<string, number>
}

/** Maximum unpacked size of a form that is examined, and of all of them together, in bytes. */
const [MAX_FORM_BYTES, MAX_ALL_BYTES] = [4 * 2 ** 20, 64 * 2 ** 20]

/**
 * Removes the operations by which a form draws itself, or another that draws it. The format forbids it; the library finds it out
 * when it draws, on each of the ways through such forms: a few bytes are a hundred thousand.
 *
 * Encrypted forms, and forms with other filters than Flate, are not recognised.
 *
 * @returns the file itself when there are none
 */
export function cutCycles(body: Uint8Array): Uint8Array {
  const file = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  if (!file.includes('/Form')) return body
  const forms = listForms(file)
  let limited: Buffer | undefined
  for (const [form, names] of findCycles(forms)) {
    limited ??= Buffer.from(file)
    cut(limited, form, names)
  }
  return limited ?? body
}

/** Lists the forms that can draw forms. */
function listForms(file: Buffer): Map<number, Form> {
  const found: { readonly number: number; readonly text: string; readonly from: number; readonly data: Buffer }[] = []
  for (const { description, descriptionAt, from, data } of findStreams(file)) {
    if (!/\/Subtype\s{0,9}\/Form(?![A-Za-z])/.test(description)) continue
    const number = /(\d{1,9})\s{1,5}\d{1,5}\s{1,5}obj$/.exec(
      file.toString('latin1', Math.max(0, descriptionAt - 30), descriptionAt),
    )
    if (number !== null) found.push({ number: Number(number[1]), text: description, from, data })
  }
  const numbers = new Set(found.map(({ number }) => number))
  const objects = new ObjectTexts(file)
  const forms = new Map<number, Form>()
  for (const { number, text, from, data } of found) {
    const names = objects.namesIn(text, number, numbers)
    const filters = text.includes('/Filter')
    const isPacked = text.includes(PACKED)
    // Of several versions of a form the last one counts.
    forms.delete(number)
    if (names.size > 0 && filters === isPacked && !text.includes('/DecodeParms'))
      forms.set(number, { number, from, data, isPacked, names })
  }
  return forms
}

const DRAWING = /\/([^\s()<>[\]{}/%]{1,127})\s{1,20}Do(?![^\s()<>[\]{}/%])/g

/** Finds the names by which forms draw one that is being drawn. */
function findCycles(forms: ReadonlyMap<number, Form>): Map<Form, Set<string>> {
  const cycles = new Map<Form, Set<string>>()
  const drawn = new Map<number, readonly (readonly [name: string, number: number])[]>()
  let left = MAX_ALL_BYTES
  const drawnBy = (form: Form): readonly (readonly [name: string, number: number])[] => {
    const known = drawn.get(form.number)
    if (known !== undefined) return known
    const content = left > 0 ? read(form) : undefined
    left -= content?.length ?? 0
    const names = new Set([...(content ?? '').matchAll(DRAWING)].map(([, name = '']) => name))
    const all = [...names].flatMap((name): [string, number][] => {
      const number = form.names.get(name)
      return number !== undefined && forms.has(number) ? [[name, number]] : []
    })
    drawn.set(form.number, all)
    return all
  }
  const done = new Set<number>()
  for (const first of startsOf(forms, drawnBy)) {
    const open = new Set<number>()
    const path: { readonly form: Form; at: number }[] = []
    const enter = (form: Form): void => {
      open.add(form.number)
      path.push({ form, at: 0 })
    }
    if (!done.has(first.number)) enter(first)
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const next = drawnBy(last.form)[last.at++]
      if (next === undefined) {
        path.pop()
        open.delete(last.form.number)
        done.add(last.form.number)
        continue
      }
      const [name, number] = next
      const form = forms.get(number)
      if (open.has(number)) cycles.set(last.form, (cycles.get(last.form) ?? new Set()).add(name))
      else if (form !== undefined && !done.has(number)) enter(form)
    }
  }
  return cycles
}

/** Lists the forms, those first that no other draws: what only they draw is to stay. */
function startsOf(
  forms: ReadonlyMap<number, Form>,
  drawnBy: (form: Form) => readonly (readonly [name: string, number: number])[],
): Form[] {
  const inner = new Set<number>()
  for (const form of forms.values())
    for (const [, number] of drawnBy(form)) if (number !== form.number) inner.add(number)
  const all = [...forms.values()]
  return [...all.filter(({ number }) => !inner.has(number)), ...all.filter(({ number }) => inner.has(number))]
}

/** Returns the drawing of a form; undefined if it is broken or too long. */
function read({ data, isPacked }: Form): string | undefined {
  if (!isPacked) return data.toString('latin1', 0, MAX_FORM_BYTES)
  try {
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MAX_FORM_BYTES }
    return inflateSync(data, options).toString('latin1')
  } catch {
    return undefined
  }
}

/** Removes what a form draws by these names, in a copy of the file; if the rest does not fit in its place, all of it. */
function cut(copy: Buffer, form: Form, names: ReadonlySet<string>): void {
  const content = read(form) ?? ''
  const rest = Buffer.from(
    content.replace(DRAWING, (text, name: string) => (names.has(name) ? ' '.repeat(text.length) : text)),
    'latin1',
  )
  const packed = form.isPacked ? deflateSync(rest, { level: 9 }) : rest
  const fits = packed.length <= form.data.length
  copy.fill(form.isPacked ? 0 : 32, form.from, form.from + form.data.length)
  if (fits) packed.copy(copy, form.from)
}
