import type { Pattern } from './patterns.js'

/** A pattern that may be more than linear, and why that does no harm. */
export interface PatternException {
  /** The module that it stands in, below `src/`. */
  readonly module: string
  /** How it begins. */
  readonly begins: string
  /** How long what it is run over can be, and why. */
  readonly reason: string
}

const except = (module: string, begins: string, reason: string): PatternException => ({ module, begins, reason })

/** Patterns that the law of patterns lets by. */
export const patternExceptions: readonly PatternException[] = [
  except('cli/to-usage-error.ts', '/`([', 'messages on options: some hundred characters'),
  except('base/folder/file-names.ts', '/^\\.+|', 'names of files, cut to 255 bytes'),
  except('content/convert/split/chunk-markdown.ts', '/\\\\([!', 'headings, cut to 2,000 characters'),
  except('content/convert/read/read-note.ts', '/^[[(]', 'texts of at most 100 characters'),
  except('features/offers/state-price.ts', '/\\B(', 'whole amounts: at most nine digits'),
  except(
    'content/extract/documentation/find-generator.ts',
    '/<!--',
    'the first and the last 5,000 characters of a page',
  ),
  except('content/parse/html/role-images.ts', '/role=', 'what repeats in it does so 600 times at most, within one tag'),
  except('content/convert/passage/passage-link.ts', '/\\S+$/', 'cells of lines that are cut to 3,000 characters'),
  except('content/convert/passage/shown-text.ts', '/\\[\\^', 'lines that are cut to 3,000 characters'),
  except('content/html/image-source.ts', '/^data:|', 'what repeats in it does so 100 times at most'),
  except('content/challenge/challenge-signatures.ts', '/^\\s*(?:just', 'titles, cut to 200 characters'),
  except('content/challenge/challenge-signatures.ts', '/verif', 'what repeats in it does so 60 times at most'),
  except('content/hydration/content-fields.ts', '/^(?:i18n', 'names of members: at most 60 characters'),
  except('content/hydration/content-fields.ts', '/^(?:content|', 'names of members: at most 60 characters'),
  except('content/hydration/content-fields.ts', '/^(?:excerpt', 'names of members: at most 60 characters'),
  except('content/hydration/content-fields.ts', '/^(?:label', 'names of members: at most 60 characters'),
  except('features/browser/process/launch-browser.ts', '/--user', 'the command line that the browser was started with'),
  except(
    'content/html/markdown-html.ts',
    '/\\*\\*',
    'what repeats in it ends at an asterisk, after 500 characters at most',
  ),
  except('content/rendering/needs-browser.ts', '/(?:enabl', 'texts of at most 1,000 characters'),
  except('content/rendering/html-tags.ts', '/\\saria', 'start tags, cut to 1,000 characters'),
  except(
    'content/hydration/data-values.ts',
    '/<\\/?(?:html',
    'what repeats in it ends at a bracket, and nothing has to follow it',
  ),
  except(
    'content/embedded-data/read-literal.ts',
    '/("(?:',
    'tried at one place only, and nothing has to follow what repeats',
  ),
  except('content/embedded-data/text-kind.ts', '/<\\/?(?:p|', 'starts of texts, cut to 4,000 characters'),
  except('content/embedded-data/text-kind.ts', '/^\\s*(?:[a-z]', 'starts of texts, cut to 4,000 characters'),
  except('content/sitemap/read-sitemap.ts', '/^\\s*<|', 'what repeats in it begins at a bracket, and ends at the next'),
  except(
    'kernel/frontier/duplicates/same-page.ts',
    '/;(?:jsessionid',
    'paths of URLs that are not longer than `urlLimits.characters`',
  ),
  except('features/redact-pii/rules/address.ts', '/〒', 'what repeats in it does so 40 times at most'),
  except('features/redact-pii/rules/address.ts', '/(?<![\\w.', 'what repeats in it does so 8 times at most'),
  except(
    'features/redact-pii/rules/address.ts',
    '/[ ,]{1,2}',
    'sticky, and what repeats in it does so 24 times at most',
  ),
  except('features/redact-pii/rules/context.ts', '/(?:^|', 'the words before a number, at most some 100 characters'),
  except('features/redact-pii/rules/national.ts', '/\\b(?:', 'what repeats in it does so 17 times at most'),
  except('features/redact-pii/rules/phone.ts', '/(?:(?:^|', 'the words before a number, at most some 100 characters'),
  except(
    'features/redact-pii/rules/phone.ts',
    '/(?:^|[^\\p{L}])(?:call',
    'the words before a number, at most some 100 characters',
  ),
  except(
    'features/redact-pii/rules/plain-text.ts',
    '/\\*\\*',
    'what repeats in it begins at a bracket, and ends at the next',
  ),
  except('features/redact-pii/rules/secret.ts', '/-----', 'what repeats in it does so 30 times at most'),
  except('features/redact-pii/rules/secret.ts', '/:\\/\\/', 'what repeats in it does so 300 times at most'),
  except(
    'features/redact-pii/rules/secret.ts',
    '/(?<![A-Za-z0-9])(?:api',
    'what repeats in it follows a word, 400 times at most',
  ),
  except('content/office/xlsx/xlsx-values.ts', '/\\[\\$', 'formats of numbers, cut to 500 characters'),
  except('content/parse/media-type/sniff-media-type.ts', '/\\soffice', 'the first 16 KB of a file'),
]

/** Whether this exception is made for that pattern. */
export const isMadeFor = ({ module, begins }: PatternException, { text, places }: Pattern): boolean =>
  text.startsWith(begins) && places.some((place) => place.startsWith(`src/${module}:`))

/** Whether an exception is made for a pattern. */
export const isExcepted = (pattern: Pattern): boolean => patternExceptions.some((one) => isMadeFor(one, pattern))

/** Where a pattern is made of a text, by its module, and what the text is. */
export const madePatterns: Readonly<Record<string, string>> = {
  'content/compare/noise-words.ts': 'names of currencies that stand there, run over words',
  'content/compare/stable-text.ts': 'words that stand there, each with bounds',
  'content/convert/markdown-blocks/markdown-list.ts': 'a number',
  'content/parse/parsers/html.ts': 'the marks of the repairs of trees, each of which is measured itself',
  'content/parse/html/tokenize.ts': 'one of five names of elements',
  'features/offers/state-price.ts': 'a whole amount of at most nine digits',
  'base/json-schema/text-formats.ts': 'made to see whether it is a pattern, and never run',
  'content/extract/documentation/find-generator.ts': 'parts of markup that stand there',
  'content/extract/documentation/generator-markup.ts': 'class names that stand there',
  'content/extract/fidelity/find-more-of-list.ts': 'labels of buttons that stand there, run over 60 characters',
  'content/extract/list/list-end.ts': 'forms of numbers that stand there, run over 80 characters',
  'content/extract/pagination/find-next-page.ts':
    'labels of links that stand there, and of buttons that stand elsewhere, run over 60 characters',
  'base/text/split-prices.ts': 'signs of currencies that stand there, run over texts of at most 160 characters',
  'features/offers/find-prices.ts': 'signs of currencies that stand there',
  'content/extract/styles/find-unseen.ts': 'names of properties that stand there',
  'content/extract/styles/may-hide.ts': 'declarations that stand there, each with bounds',
  'content/extract/styles/selector.ts': 'parts of a selector that stand there, run over 2,000 characters',
  'content/extract/styles/unseen-signs.ts': 'ranges of characters that stand there',
  'content/extract/visibility/remove-invisible.ts': 'a size that stands there',
  'content/challenge/detect-challenge.ts': 'a pattern that stands elsewhere, with another flag',
  'content/rendering/element-kinds.ts': 'the name of one of a dozen elements of HTML',
  'features/browser/ad-block/small-ad-list.ts': 'rules of the list that comes with the package',
  'features/browser/injected/find-consent.ts':
    'labels of buttons that stand there, run over 80 characters; run in the browser',
  'features/browser/injected/find-more.ts': 'labels of buttons that stand there, run over 60 characters',
  'features/browser/injected/repair-mojibake.ts':
    'ranges of letters that stand there, without repetition; run in the browser',
  'content/office/rtf/rtf-tokens.ts': 'a pattern that stands there',
  'content/parse/html/strip-tags.ts': 'a pattern that stands there, with another flag',
  'features/search/words/fold-words.ts': 'ranges of letters that stand there',
  'content/pdf/layout/order-runs.ts': 'a range of letters that stands there',
  'features/redact-pii/redactor.ts':
    'names that a function of the host has found, escaped, without repetition but of white space',
  'features/redact-pii/rules/address.ts': 'kinds of streets that stand there, run over 120 characters',
  'features/redact-pii/rules/national.ts': 'names of numbers that stand there, run over 100 characters',
  'features/redact-pii/rules/plain-text.ts': 'signs that stand there',
  'features/redact-pii/rules/secret.ts': 'prefixes that stand there, each with bounds',
  'features/report/part-writer.ts': 'eight hexadecimal digits, run over names of files',
}
