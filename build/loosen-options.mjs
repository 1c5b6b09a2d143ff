import { parseAst } from 'rolldown/parseAst'

/** Types that callers write, by their names. What trawl returns, or hands to a function of the caller, stays as it is. */
const WRITTEN_BY_CALLERS =
  /(?:Action|Config|Filter|(?<!^|^Convert|^Enrich)Format|Input|Options|Parser|Query|(?:Crawl|Map|Scrape|Watch)Request)$|^(?:Job|Location|OwnFeature|Profile|ProxyLists|Receiver|Redaction|RequestChange|ResumeEvents|StandardSchema|StepResult|Watch|WatchCalls|Webhook)$/

/** Types that `| undefined` would become a part of. */
const OPEN_TYPES = ['TSFunctionType', 'TSConstructorType', 'TSConditionalType']

/**
 * Declarations in which optional members of what callers write may be undefined as well: the code says `limit?: number`,
 * but callers may compile with `exactOptionalPropertyTypes` and pass a variable that is undefined.
 */
export function loosenOptions(text, file) {
  const insertions = findOptionalTypes(parseAst(text, { lang: 'dts' }, file), false).flatMap(({ type, start, end }) =>
    OPEN_TYPES.includes(type)
      ? [
          { at: start, added: '(' },
          { at: end, added: ') | undefined' },
        ]
      : [{ at: end, added: ' | undefined' }],
  )
  return insertions
    .sort((one, other) => other.at - one.at)
    .reduce((written, { at, added }) => written.slice(0, at) + added + written.slice(at), text)
}

/** Types of the optional members that callers write, unless they are undefined by their declaration. */
function findOptionalTypes(node, isWritten) {
  if (node === null || typeof node !== 'object') return []
  const isNamed = node.type === 'TSInterfaceDeclaration' || node.type === 'TSTypeAliasDeclaration'
  const inside = isNamed ? WRITTEN_BY_CALLERS.test(node.id.name) : isWritten
  const within = Object.values(node).flatMap((child) => findOptionalTypes(child, inside))
  const type = node.type === 'TSPropertySignature' && node.optional && node.typeAnnotation?.typeAnnotation
  const isUndefined = type && [type, ...(type.types ?? [])].some((part) => part.type === 'TSUndefinedKeyword')
  return inside && type && !isUndefined ? [type, ...within] : within
}
