import { makeDocx, makeEpub, makePptx, makeXlsx, makeZip } from './make-zip.js'

const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument'
const OPEN_XML = 'application/vnd.openxmlformats-officedocument'

const NAMESPACES = ['office', 'text', 'table']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .join(' ')

/** A file of the OpenDocument format: what stands in `office:body`, and other parts by their names. */
export const makeOpenDocument = (
  kind: 'text' | 'spreadsheet' | 'presentation',
  inner: string,
  parts: { readonly automatic?: string; readonly files?: Readonly<Record<string, string>> } = {},
): Uint8Array =>
  makeZip({
    mimetype: `${OPEN_DOCUMENT}.${kind}`,
    'content.xml': `<office:document-content ${NAMESPACES} xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"><office:automatic-styles>${parts.automatic ?? ''}</office:automatic-styles><office:body><office:${kind}>${inner}</office:${kind}></office:body></office:document-content>`,
    ...parts.files,
  })

/** A file for each parser of office files, and the media type that it comes with. */
export const officeSamples = {
  docx: [`${OPEN_XML}.wordprocessingml.document`, makeDocx('<w:p><w:r><w:t>Hello</w:t></w:r></w:p>')],
  epub: ['application/epub+zip', makeEpub({ 'a.xhtml': '<p>Hello</p>' })],
  odp: [`${OPEN_DOCUMENT}.presentation`, makeOpenDocument('presentation', '<draw:page/>')],
  ods: [
    `${OPEN_DOCUMENT}.spreadsheet`,
    makeOpenDocument(
      'spreadsheet',
      '<table:table table:name="Hello"><table:table-row><table:table-cell><text:p>1</text:p></table:table-cell></table:table-row></table:table>',
    ),
  ],
  odt: [`${OPEN_DOCUMENT}.text`, makeOpenDocument('text', '<text:p>Hello</text:p>')],
  pptx: [`${OPEN_XML}.presentationml.presentation`, makePptx(['<p:sp/>'])],
  rtf: ['application/rtf', new TextEncoder().encode('{\\rtf1 Hello\\par}')],
  xlsx: [
    `${OPEN_XML}.spreadsheetml.sheet`,
    makeXlsx({ Hello: '<sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData>' }),
  ],
} as const satisfies Record<string, readonly [mediaType: string, body: Uint8Array]>
