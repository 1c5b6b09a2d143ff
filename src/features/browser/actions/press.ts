import type { ActionKind } from '../action-kind.js'
import type { PressAction } from '../../../kernel/fetch/action-options.js'

/** Presses a key, or several together: `Enter`, `ArrowDown`, `Control+A`. @see docs/compatibility/requests.md#actions */
export const press: ActionKind<PressAction> = {
  type: 'press',
  async run({ page }, { key }) {
    await page.keyboard.press(key)
  },
}
