import { descendants, type XmlElement, xmlText } from '../package/xml.js'

/** The texts of a diagram by its data part, one for each point that has one. @see ECMA-376 part 1, section 21.4 */
export const diagramTexts = (data: XmlElement | undefined): string[] =>
  descendants(data, 'a:p')
    .map((paragraph) =>
      descendants(paragraph, 'a:t')
        .map((text) => xmlText(text))
        .join(''),
    )
    .filter((text) => text.trim() !== '')
