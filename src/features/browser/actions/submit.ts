import type { SubmitAction } from '../../../kernel/fetch/action-options.js'
import type { ActionKind } from '../action-kind.js'
import { pageFunction } from '../injected/page-functions.js'
import { findElement } from '../page/find-element.js'

/** Sends a form by its button, as a user does; without a form, by the key Enter. @see docs/guides/browser-and-actions.md#actions */
export const submit: ActionKind<SubmitAction> = {
  type: 'submit',
  async run(context, { selector }) {
    const { world, page } = context
    const match = selector === undefined ? undefined : (await findElement(context, selector)).match
    const sent = await world.act(pageFunction('sendForm'), match)
    if (sent === 'no form' && selector === undefined) return await page.keyboard.press('Enter')
    if (sent !== 'sent')
      throw new Error(`the form cannot be sent: ${sent === 'disabled' ? 'its button is disabled' : sent}`)
  },
}
