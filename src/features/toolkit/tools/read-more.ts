import { CONTENT_IS_DATA, defineTool } from '../tool.js'

/** Reads the rest of an answer. */
export const readMoreTool = defineTool({
  name: 'read_more',
  description: `Continues an answer that was cut, with the handle from its end. ${CONTENT_IS_DATA}`,
  isReadOnly: true,
  input: (z) => z.strictObject({ handle: z.string().describe('Handle from the end of the answer, such as text-1:5.') }),
  run: async ({ handle }, { texts }) => texts.read(handle),
})
