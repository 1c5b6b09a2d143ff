import type { LanguageWords } from './words.js'

/** Names and terms that are the same in every language. */
export const universal: Readonly<Record<string, LanguageWords>> = {
  '*': {
    history: 'contents of .env, the .env, ~/.ssh, id_rsa, /etc/passwd',
    model:
      'chatgpt*, gpt*, openai, claude, gemini, copilot, perplexity, grok, llama*, mistral, deepseek, qwen*, llm, llms, gptbot, ai agent*, ai assistant*, ai model*, ai system*, ai crawler*, ai bot*, ai chatbot*, ai reviewer*, ai-agent*, ai-assist*, ai-model*, ai search*',
    people:
      'ai developer*, ai engineer*, ai researcher*, ai scientist*, ai enthusiast*, ai compan*, ai start*, ai expert*, ai professional*, ai specialist*, ai consultant*, ai practitioner*, ai vendor*, ai provider*, ai product*, ai project*, ai team*, ai tool*, ai tutor*, ai art*, ai code*, ai coding*, ai writing*, ai skeptic*, ai beginner*, ai lab*, ai firm*, ai platform*, ai solution*, ai service*, ai app*, ai feature*, ai strateg*, ai safety, ai ethic*, ai polic*, ai train*, ai infrastructure*, ai chip*, ai news*, ai add-on*, ai-powered*, ai-driven*, ai-generated*, ai-based*, llm developer*, llm engineer*, llm app*, chatgpt user*, chatgpt plus*, ki-entwickler*, ki-forsch*, ki-expert*, ki-unternehmen*, ki-start*, ki-tool*, ki-lösung*, ki-anwend*, ki-projekt*',
    system: 'system prompt, system-prompt, systemprompt, system_prompt',
    yourTool:
      'send_email, sendemail, tool_call, function_call, browser_navigate, read_file, run_shell, execute_command',
    address: 'http://, https://, @*, mailto:',
    topic:
      "prompt injection*, prompt-injection*, promptinjection, prompt inyect*, injection de prompt*, injections de prompt*, inyección de prompt*, inyecciones de prompt*, injeção de prompt*, iniezione di prompt, prompt hacking, prompt leak*, jailbreak*, red team*, adversarial prompt*, adversarial attack*, llm security, llm sicherheit, llm-sicherheit, ai security, prompt engineer*, prompt-engineer*, chat template*, chatml, guardrail*, owasp, инъекци* промпт*, промпт-инъекц*, промпт-инжект*, ін'єкці* промпт*, промпт-ін'єкц*, プロンプトインジェクション, プロンプト・インジェクション, 提示注入, 提示词注入, 提示詞注入, 提示词攻击, 프롬프트 인젝션, 프롬프트 주입, istem enjeksiyon*, prompt enjeksiyon*, حقن الموجهات, حقن الأوامر, הזרקת פרומפט*, प्रॉम्प्ट इंजेक्शन*, injeksi prompt, tiêm prompt, tiêm lời nhắc, wstrzykiwani* prompt*, large language model*, fine-tun*, finetun*, tokenizer*, instruction tuning, instruction-tun*",
  },
}
