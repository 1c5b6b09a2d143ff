import { messageOf } from '../../../base/errors.js'
import { askSecret } from '../../../base/runtime/ask-secret.js'
import type { FillAction } from '../../../kernel/fetch/action-options.js'
import type { ActionKind } from '../action-kind.js'
import { findElement } from '../page/find-element.js'

/** Sets the value of a field as a user who replaces it does, so that frameworks follow. @see docs/guides/browser-and-actions.md#actions */
export const fill: ActionKind<FillAction> = {
  type: 'fill',
  async run(context, { selector, text = '', secret }) {
    const { first } = await findElement(context, selector)
    if (secret !== undefined && context.askedUrl.protocol === 'https:' && context.page.url().startsWith('http:'))
      throw new Error('a secret is not filled in on a page of plain http, to which the page of https has led')
    const value = secret === undefined ? text : await askSecret('the secret of `fill`', secret, context.env)
    if (secret !== undefined) context.typed.add(value)
    try {
      await first.fill(value, { timeout: context.leftMs() })
    } catch (error) {
      if (secret === undefined) throw error
      // The driver tells what it does, with the value.
      // oxlint-disable-next-line preserve-caught-error -- it would have the value
      throw new Error(messageOf(error).split('\n', 1).join('').replaceAll(value, '…'))
    }
  },
}
