import type { RequestIssue } from '../../base/errors.js'
import { traitsOf } from '../../kernel/fetch/action-options.js'
import { type EngineCapabilities } from '../../kernel/options/engine-capabilities.js'
import { itemType } from '../../kernel/options/fields/formats.js'
import { NO_FEATURE_OPTIONS } from '../../kernel/options/option-definition.js'
import type { ScrapeOptions } from '../../kernel/options/scrape-options.js'

/** Finds formats and actions that give files of the page: pictures, sound, raw bytes. Nothing can be redacted in them. */
export function findUnredacted(
  options: ScrapeOptions,
  within: readonly string[],
  { options: { formats } = NO_FEATURE_OPTIONS }: EngineCapabilities,
): RequestIssue[] {
  const refuse = (name: string, index: number, what: string): RequestIssue => ({
    code: 'custom',
    path: [...within, name, index],
    message: `${what} gives a file, in which \`redactPII\` can redact nothing: ask for it in a request of its own`,
  })
  return [
    ...(options.formats ?? []).flatMap((item, index) => {
      const type = formats.typeNamed(itemType(item))
      const isFile = formats.hasTrait(type, 'file') || formats.hasTrait(type, 'raw')
      return isFile ? [refuse('formats', index, `\`${itemType(item)}\``)] : []
    }),
    ...(options.actions ?? []).flatMap((action, index) =>
      traitsOf(action).makesFile ? [refuse('actions', index, `\`${action.type}\``)] : [],
    ),
  ]
}
