import type { CellPlan } from './rtf-table.js'

const MAX_COLUMNS = 1000

/** Row definition under construction. The properties of a cell precede the control word of its right border. */
export class RtfRowPlan {
  cells: CellPlan[] = []
  isHead = false
  #isAcross = false
  #isDown = false

  /** Applies a control word of a row definition. @returns false for other words */
  read(word: string, number: number | undefined): boolean {
    switch (word) {
      case 'trowd':
        this.cells = []
        this.isHead = false
        this.#isAcross = false
        this.#isDown = false
        return true
      case 'trhdr':
        this.isHead = true
        return true
      case 'clmrg':
        this.#isAcross = true
        return true
      case 'clvmrg':
        this.#isDown = true
        return true
      case 'cellx': {
        const isAcross = this.#isAcross
        const isDown = this.#isDown
        if (this.cells.length < MAX_COLUMNS) this.cells.push({ right: number ?? 0, isAcross, isDown })
        this.#isAcross = false
        this.#isDown = false
        return true
      }
      default:
        return false
    }
  }
}
