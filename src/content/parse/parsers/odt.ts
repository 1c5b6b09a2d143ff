import { officeParser } from '../pages/office-page.js'

/** Reads OpenDocument texts. @see https://docs.oasis-open.org/office/OpenDocument/v1.3/ */
export const odt = officeParser('odt', async () => (await import('../../office/odf/odt.js')).readOdt)
