/** Namespaces of office files, each mapped to one prefix, whatever prefix a file uses; strict forms included. */

const OPEN_XML = /^http:\/\/(?:schemas\.openxmlformats\.org|purl\.oclc\.org\/ooxml)\/(.+?)\/?$/

/** Prefixes by the rest of the URI, without `2006/`. @see ECMA-376 parts 1 and 4 */
const OPEN_XML_PREFIXES: ReadonlyMap<string, string> = new Map([
  ['wordprocessingml/main', 'w'],
  ['spreadsheetml/main', 'x'],
  ['presentationml/main', 'p'],
  ['officeDocument/relationships', 'r'],
  ['officeDocument/math', 'm'],
  ['drawingml/main', 'a'],
  ['drawingml/wordprocessingDrawing', 'wp'],
  ['drawingml/picture', 'pic'],
  ['drawingml/diagram', 'dgm'],
  ['drawingml/chart', 'c'],
  ['markup-compatibility', 'mc'],
  ['package/relationships', 'rel'],
  ['package/content-types', 'ct'],
  ['package/metadata/core-properties', 'cp'],
])

const OPEN_DOCUMENT = /^urn:oasis:names:tc:opendocument:xmlns:([a-z-]+)(?::1\.0)?$/

/** Prefixes that differ from the last word of the namespace. @see OpenDocument 1.3 part 3, section 4 */
const OPEN_DOCUMENT_PREFIXES: ReadonlyMap<string, string> = new Map([
  ['drawing', 'draw'],
  ['datastyle', 'number'],
  ['svg-compatible', 'svg'],
  ['xsl-fo-compatible', 'fo'],
])

const OTHERS: ReadonlyMap<string, string> = new Map([
  ['urn:schemas-microsoft-com:vml', 'v'],
  ['http://schemas.microsoft.com/office/word/2010/wordprocessingShape', 'wps'],
  ['http://schemas.microsoft.com/office/word/2010/wordml', 'w14'],
  ['http://purl.org/dc/elements/1.1/', 'dc'],
  ['http://purl.org/dc/terms/', 'dcterms'],
  ['http://www.w3.org/1999/xlink', 'xlink'],
  ['http://www.w3.org/1998/Math/MathML', 'math'],
  ['http://www.w3.org/2001/04/xmlenc#', 'enc'],
  ['http://www.idpf.org/2007/opf', 'opf'],
  ['http://www.daisy.org/z3986/2005/ncx/', 'ncx'],
  ['http://www.w3.org/1999/xhtml', ''],
])

/** Returns the prefix that trawl uses for a namespace; undefined for unknown ones. */
export function prefixOf(uri: string): string | undefined {
  const openXml = OPEN_XML.exec(uri)?.[1]
  if (openXml !== undefined) return OPEN_XML_PREFIXES.get(openXml.replace(/(^|\/)2006(?=\/|$)/, '').replace(/^\//, ''))
  const openDocument = OPEN_DOCUMENT.exec(uri)?.[1]
  if (openDocument !== undefined) return OPEN_DOCUMENT_PREFIXES.get(openDocument) ?? openDocument
  return OTHERS.get(uri)
}
