import { untilAborted } from './until-aborted.js'

/** Makes callers wait while it is closed. A job closes it while it is stopped, so that its background tasks wait. */
export class PauseGate {
  #opening: Promise<void> | undefined
  #open: () => void = () => undefined

  close(): void {
    this.#opening ??= new Promise((resolve) => {
      this.#open = resolve
    })
  }

  open(): void {
    this.#opening = undefined
    this.#open()
  }

  get isOpen(): boolean {
    return this.#opening === undefined
  }

  /** Resolves when the gate is open. @throws the signal's reason, when it aborts first */
  async waitUntilOpen(signal: AbortSignal): Promise<void> {
    while (this.#opening) await untilAborted(this.#opening, signal)
  }
}
