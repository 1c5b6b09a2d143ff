/** Mark-up with which programs tell a model who speaks, or what a tool has answered. */
interface ChatMarkup {
  readonly name: string
  /** Models and programs that use the mark-up. */
  readonly reason: string
  readonly pattern: RegExp
}

/** Mark-up that imitates a chat. In ordinary pages it stands only where they write about models. */
export const chatMarkup: readonly ChatMarkup[] = [
  {
    name: 'chatml',
    reason: 'tokens of ChatML, of Llama 3, Phi, Qwen',
    pattern:
      /<\|(?:im_start|im_end|im_sep|system|user|assistant|endoftext|end|begin_of_text|end_of_text|start_header_id|end_header_id|eot_id|eom_id|python_tag|channel|message|start|return|call|tool|observation|tool_call|startoftext|fim_prefix|endofprompt)\|>/i,
  },
  {
    name: 'llama-2',
    reason: 'marks of Llama 2 and Mistral',
    pattern: /\[\/?INST\]|<<\/?SYS>>|\[\/?(?:TOOL_CALLS|AVAILABLE_TOOLS|TOOL_RESULTS|SYSTEM_PROMPT)\]/,
  },
  { name: 'gemma', reason: 'turns of Gemma', pattern: /<(?:start|end)_of_turn>/ },
  {
    name: 'deepseek',
    reason: 'tokens of DeepSeek',
    pattern:
      /<[|｜](?:begin|end)[▁_]of[▁_]sentence[|｜]>|<[|｜](?:User|Assistant|tool[▁_]calls?[▁_](?:begin|end))[|｜]>/i,
  },
  {
    name: 'cohere',
    reason: 'tokens of Command R',
    pattern: /<\|(?:START|END)_OF_TURN_TOKEN\|>|<\|(?:SYSTEM|USER|CHATBOT)_TOKEN\|>/,
  },
  {
    name: 'role-tag',
    reason: 'tags with the name of a role',
    pattern: /<\/?(?:system|assistant)>/i,
  },
  {
    name: 'role-part-tag',
    reason: 'tags with the name of a role and of a part of its text',
    pattern: /<\/?(?:system|assistant)[-_][a-z]+>/i,
  },
  {
    name: 'tool-tag',
    reason: 'tags of tool calls and of their results',
    pattern: /<\/?(?:tool|function)_[a-z]+>/i,
  },
  {
    name: 'role-json',
    reason: 'a message with a role, as in the interfaces of models',
    pattern: /\{\s{0,9}"role"\s{0,9}:\s{0,9}"(?:system|assistant|developer|tool)"\s{0,9},\s{0,9}"content"/i,
  },
  {
    name: 'instruction-heading',
    reason: 'headings of Alpaca prompts',
    pattern: /(?:^|\n)\s{0,9}#{2,4} (?:System|Instruction|Response|Assistant|Human|User)(?: ?Prompt| ?Message)?:\s/i,
  },
  {
    name: 'role-lines',
    reason: 'lines that begin with the name of a role',
    pattern: /(?:^|\n)\s{0,9}(?:SYSTEM|\[system\]|<system>|System Message|System Prompt)\s{0,3}:\s{0,9}\S/,
  },
]

/** Elements of that mark-up, where a page has it unescaped. */
export const MARKUP_ELEMENTS: ReadonlySet<string> = new Set(
  'system assistant system-reminder system_prompt system-prompt tool_call tool_calls tool_result tool_results tool_response function_call function_calls function_results start_of_turn end_of_turn antml:function_calls antml:invoke'.split(
    ' ',
  ),
)

/** A cheap test for a text that may have such mark-up. */
const MAY_HAVE = /<\|?[a-z/｜|<]|\[\/?[A-Z]{4}|"role"|###? |system/i

/** Finds the first mark-up of each kind in a text. */
export function findChatMarkup(
  text: string,
): readonly { readonly name: string; readonly at: number; readonly end: number }[] {
  if (!MAY_HAVE.test(text)) return []
  return chatMarkup.flatMap(({ name, pattern }) => {
    const found = pattern.exec(text)
    return found ? [{ name, at: found.index, end: found.index + found[0].length }] : []
  })
}
