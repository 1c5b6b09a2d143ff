import { linkOf, textInCode } from '../docx/docx-fields.js'

const MAX_CODE_LENGTH = 4000

const MAX_CHOICES = 500

/** Result of a form field that says that its default value applies. */
const NO_RESULT = 25

const TEXT = 0
const CHECK_BOX = 1

/** Field: its code, and the data of a form field. */
export class RtfField {
  /** True if its result has text. */
  hasResult = false
  #code = ''
  #type: number | undefined
  #chosen: number | undefined
  #initial: number | undefined
  readonly #choices: string[] = []

  addCode(text: string): void {
    if (this.#code.length < MAX_CODE_LENGTH) this.#code += text
  }

  /** Applies a control word of the data of a form field. */
  readFormWord(word: string, number?: number): void {
    if (word === 'fftype') this.#type = number
    else if (word === 'ffres' && number !== NO_RESULT) this.#chosen = number
    else if (word === 'ffdefres') this.#initial = number
    else if (word === 'ffl' && this.#choices.length < MAX_CHOICES) this.#choices.push('')
  }

  /** Appends text to the last choice of a list. */
  addToChoice(text: string): void {
    const last = this.#choices.pop()
    if (last !== undefined) this.#choices.push(last.length < MAX_CODE_LENGTH ? last + text : last)
  }

  /** Link target of its result. */
  get href(): string | undefined {
    return linkOf(this.#code)
  }

  /**
   * Text that is displayed if the field has no result: the state of a check box, the chosen one of a list, or what the code
   * itself displays.
   */
  get value(): string {
    const place = this.#chosen ?? this.#initial ?? 0
    if (this.#type === undefined || this.#type === TEXT) return textInCode(this.#code)
    return this.#type === CHECK_BOX ? (place === 0 ? '☐' : '☒') : (this.#choices[place] ?? '')
  }
}
