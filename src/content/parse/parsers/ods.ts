import { officeParser } from '../pages/office-page.js'

/** Reads OpenDocument spreadsheets. @see https://docs.oasis-open.org/office/OpenDocument/v1.3/ */
export const ods = officeParser('ods', async () => (await import('../../office/odf/ods.js')).readOds)
