/** Tests for the type of an HTML page. @param contentType the header. @default HTML, as browsers guess */
export const isHtmlType = (contentType = 'text/html'): boolean => /\bx?html\b/i.test(contentType)
