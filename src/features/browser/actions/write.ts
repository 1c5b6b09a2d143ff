import type { ActionKind } from '../action-kind.js'
import type { WriteAction } from '../../../kernel/fetch/action-options.js'
import { pageFunction } from '../injected/page-functions.js'

/** Types text, a character at a time, into the element that has the focus. @see docs/compatibility/requests.md#actions */
export const write: ActionKind<WriteAction> = {
  type: 'write',
  async run({ page, world }, { text }) {
    if (!(await world.call(pageFunction('hasFocus'), undefined))) {
      throw new Error('no element has the focus: put an action `click` on an input before this one')
    }
    await page.keyboard.type(text)
  },
}
