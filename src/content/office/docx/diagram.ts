import { descendants, type XmlElement, xmlText } from '../package/xml.js'

/** Lists the texts of a diagram's points, from its data part. @see ECMA-376 part 1, section 21.4 */
export const diagramTexts = (data: XmlElement | undefined): string[] =>
  descendants(data, 'a:p')
    .map((paragraph) =>
      descendants(paragraph, 'a:t')
        .map((text) => xmlText(text))
        .join(''),
    )
    .filter((text) => text.trim() !== '')
