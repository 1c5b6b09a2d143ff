const OPEN_XML = 'application/vnd.openxmlformats-officedocument'
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument'

/**
 * What files are that begin as a zip does, or as the container of older office files: by their extension, where nothing but
 * their name tells.
 */
export const CONTAINED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'application/zip': {
    docx: `${OPEN_XML}.wordprocessingml.document`,
    xlsx: `${OPEN_XML}.spreadsheetml.sheet`,
    pptx: `${OPEN_XML}.presentationml.presentation`,
    docm: 'application/vnd.ms-word.document.macroenabled.12',
    xlsm: 'application/vnd.ms-excel.sheet.macroenabled.12',
    pptm: 'application/vnd.ms-powerpoint.presentation.macroenabled.12',
    odt: `${OPEN_DOCUMENT}.text`,
    ods: `${OPEN_DOCUMENT}.spreadsheet`,
    odp: `${OPEN_DOCUMENT}.presentation`,
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
