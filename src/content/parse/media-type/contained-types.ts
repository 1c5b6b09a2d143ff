const OPEN_XML = 'application/vnd.openxmlformats-officedocument'
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument'

/**
 * Types of files in a zip or OLE container, by extension, for containers whose contents do not identify the type.
 */
export const CONTAINED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'application/zip': {
    docx: `${OPEN_XML}.wordprocessingml.document`,
    xlsx: `${OPEN_XML}.spreadsheetml.sheet`,
    pptx: `${OPEN_XML}.presentationml.presentation`,
    dotx: `${OPEN_XML}.wordprocessingml.template`,
    xltx: `${OPEN_XML}.spreadsheetml.template`,
    potx: `${OPEN_XML}.presentationml.template`,
    ppsx: `${OPEN_XML}.presentationml.slideshow`,
    docm: 'application/vnd.ms-word.document.macroenabled.12',
    xlsm: 'application/vnd.ms-excel.sheet.macroenabled.12',
    pptm: 'application/vnd.ms-powerpoint.presentation.macroenabled.12',
    dotm: 'application/vnd.ms-word.template.macroenabled.12',
    xltm: 'application/vnd.ms-excel.template.macroenabled.12',
    ppsm: 'application/vnd.ms-powerpoint.slideshow.macroenabled.12',
    odt: `${OPEN_DOCUMENT}.text`,
    ods: `${OPEN_DOCUMENT}.spreadsheet`,
    odp: `${OPEN_DOCUMENT}.presentation`,
    ott: `${OPEN_DOCUMENT}.text-template`,
    ots: `${OPEN_DOCUMENT}.spreadsheet-template`,
    otp: `${OPEN_DOCUMENT}.presentation-template`,
    epub: 'application/epub+zip',
  },
  'application/x-cfb': {
    doc: 'application/msword',
    xls: 'application/vnd.ms-excel',
    ppt: 'application/vnd.ms-powerpoint',
    msg: 'application/vnd.ms-outlook',
    msi: 'application/x-msi',
  },
}
