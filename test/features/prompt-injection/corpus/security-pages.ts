import { readFileSync } from 'node:fs'

/** Pages that write about prompt injection, and quote it: none of them is one. */

interface Frame {
  readonly language: string
  readonly title: string
  readonly before: string
  /** The sentence around a quotation, which stands for `%`. */
  readonly inline: string
  readonly after: string
}

const frames: readonly Frame[] = [
  {
    language: 'en',
    title: 'What is prompt injection? A guide for developers',
    before:
      'Prompt injection is an attack on applications that are built on large language models. The attacker places text where the model reads it, and the model takes it for an instruction. A typical payload looks like this:',
    inline: 'In our red team exercise the page contained the sentence “%”, and two of the three models obeyed.',
    after:
      'Defences separate instructions from data, filter what the model reads, and ask the user before tools are called. OWASP lists prompt injection first among the risks of LLM applications.',
  },
  {
    language: 'en',
    title: 'Researchers hide orders to chatbots in job applications',
    before:
      'A recruiter found white text in the résumé of a candidate last week. When she pasted it into ChatGPT, the language model praised the candidate without reason. The hidden text said:',
    inline: 'According to the security researchers, the document told the model "%" in white letters.',
    after:
      'OpenAI said that it works on the problem. Security researchers have shown the same trick with Gemini, Copilot and Claude, and call it indirect prompt injection.',
  },
  {
    language: 'en',
    title: 'Jailbreaks and prompt leaking: a taxonomy',
    before:
      'We collected 1,405 jailbreak prompts from forums and public data sets. Each is labelled by its technique. Examples of the class "instruction override":',
    inline: 'One participant of the competition wrote «%», which leaked the key in 38 % of the runs.',
    after:
      'Adversarial prompts transfer between models. Fine-tuning on refusals lowers the rate of success, and costs helpfulness. The data set and the code of the guardrail are public.',
  },
  {
    language: 'en',
    title: 'Testing our AI assistant: notes from the support team',
    before:
      'Before the launch we tried to break the assistant. Users of chatbots will try prompt injection in the first hour, so we did as well. Among the messages that we sent:',
    inline: 'The LLM answered politely to "%" and did not change its behaviour.',
    after:
      'The guardrails of the language model held in 97 of 100 cases. The three failures were reported to the vendor of the LLM, and fixed in the next version.',
  },
  {
    language: 'en',
    title: 'Prompt engineering course, lesson 7: attacks',
    before:
      'So far you have learnt to write a system prompt for a language model. In this lesson you attack one. Prompt injection works because LLMs see one stream of tokens. Try these inputs in the playground:',
    inline: 'A student may type `%` to see whether the large language model follows.',
    after:
      'Write down what the LLM answers, and improve your system prompt until the attack fails. In lesson 8 we build a guardrail that detects such inputs.',
  },
  {
    language: 'de',
    title: 'Prompt Injection: Wie Angreifer Sprachmodelle übernehmen',
    before:
      'Bei einer Prompt Injection schleust ein Angreifer Text ein, den ein Sprachmodell für eine Anweisung hält. Das BSI warnt vor dieser Schwachstelle großer Sprachmodelle. Ein Beispiel aus der Praxis:',
    inline: 'In dem Test stand auf der Seite der Satz „%“, und das Sprachmodell folgte ihm.',
    after:
      'Betreiber von KI-Assistenten sollten Daten und Anweisungen trennen. Gegen Jailbreaks und Prompt Injection gibt es bisher keinen vollständigen Schutz, sagen Forscher.',
  },
  {
    language: 'de',
    title: 'Versteckte Befehle in Bewerbungen täuschen ChatGPT',
    before:
      'Bewerber verstecken weiße Schrift in ihren Unterlagen, damit ChatGPT und andere Sprachmodelle sie besser bewerten. Sicherheitsforscher nennen das indirekte Prompt Injection. So lautete der Text:',
    inline: 'Ein Bewerber schrieb zum Beispiel „%“ in weißer Schrift.',
    after:
      'Personalabteilungen, die eine KI einsetzen, sollten das Sprachmodell gegen solche Angriffe testen. OpenAI und Google arbeiten an Filtern für Prompt Injection.',
  },
  {
    language: 'fr',
    title: 'Injection de prompt : comment les pirates trompent les modèles de langage',
    before:
      "L'injection de prompt consiste à glisser un texte que le modèle de langage prend pour une instruction. Les chercheurs en sécurité la placent en tête des risques des LLM. Voici un exemple d'attaque :",
    inline: "Lors d'un test, la page contenait la phrase « % », et l'assistant IA a obéi.",
    after:
      "Les éditeurs de ChatGPT et de Gemini ajoutent des filtres contre l'injection de prompt et les jailbreaks. Aucun modèle de langage n'est entièrement protégé.",
  },
  {
    language: 'es',
    title: 'Inyección de prompts: el ataque que engaña a los modelos de lenguaje',
    before:
      'La inyección de prompts es un ataque contra aplicaciones basadas en un modelo de lenguaje. El atacante esconde texto que el modelo toma por una orden. Un ejemplo típico:',
    inline: 'En la prueba, la página contenía la frase «%» y el asistente de IA la obedeció.',
    after:
      'Los investigadores recomiendan separar datos e instrucciones y usar guardrails. Ningún LLM está libre de la inyección de prompts ni del jailbreak.',
  },
  {
    language: 'pt',
    title: 'Injeção de prompt: como funciona o ataque a modelos de linguagem',
    before:
      'A injeção de prompt é um ataque contra aplicações que usam um modelo de linguagem. O atacante esconde um texto que o LLM entende como instrução. Exemplo:',
    inline: 'No teste, a página continha a frase “%” e o assistente de IA obedeceu.',
    after:
      'Pesquisadores recomendam guardrails contra a injeção de prompt e o jailbreak. Nenhum modelo de linguagem está totalmente protegido.',
  },
  {
    language: 'it',
    title: 'Prompt injection: che cos’è e come difendersi',
    before:
      'La prompt injection è un attacco contro le applicazioni basate su un modello linguistico. L’attaccante nasconde un testo che il LLM scambia per un’istruzione. Ecco un esempio:',
    inline: 'Nel test la pagina conteneva la frase «%» e l’assistente IA ha obbedito.',
    after:
      'I ricercatori consigliano guardrail contro la prompt injection e il jailbreak. Nessun modello linguistico è del tutto protetto.',
  },
  {
    language: 'ru',
    title: 'Промпт-инъекции: как обманывают языковые модели',
    before:
      'Промпт-инъекция — это атака на приложения, построенные на языковой модели. Злоумышленник прячет текст, который LLM принимает за инструкцию. Вот пример такой атаки:',
    inline: 'В эксперименте страница содержала фразу «%», и ассистент её выполнил.',
    after:
      'Исследователи советуют отделять данные от инструкций. От промпт-инъекций и джейлбрейка ни одна языковая модель полностью не защищена.',
  },
  {
    language: 'pl',
    title: 'Prompt injection: atak na modele językowe',
    before:
      'Prompt injection to atak na aplikacje oparte na modelu językowym. Atakujący ukrywa tekst, który LLM bierze za instrukcję. Oto przykład:',
    inline: 'W teście strona zawierała zdanie „%” i asystent AI je wykonał.',
    after:
      'Badacze zalecają guardraile przeciw prompt injection i jailbreakom. Żaden model językowy nie jest w pełni chroniony.',
  },
  {
    language: 'zh',
    title: '什么是提示词注入攻击？',
    before:
      '提示词注入是针对大语言模型应用的一种攻击。攻击者把文字藏在模型会读到的地方，语言模型把它当作指令。下面是一个典型的例子：',
    inline: '在测试中，页面里藏着“%”这句话，助手照做了。',
    after: '研究人员建议把数据与指令分开，并使用护栏。目前没有任何大模型能完全防住提示词注入和越狱攻击。',
  },
  {
    language: 'ja',
    title: 'プロンプトインジェクションとは何か',
    before:
      'プロンプトインジェクションは、大規模言語モデルを使うアプリケーションへの攻撃です。攻撃者はモデルが読む場所に文章を隠し、LLMはそれを指示だと受け取ります。典型的な例は次のとおりです：',
    inline: '実験では、ページに「%」という文が含まれており、AIアシスタントはそれに従いました。',
    after:
      '研究者はデータと指示を分けることを勧めています。プロンプトインジェクションや脱獄を完全に防げる言語モデルはまだありません。',
  },
  {
    language: 'ko',
    title: '프롬프트 인젝션이란 무엇인가',
    before:
      '프롬프트 인젝션은 대규모 언어 모델을 사용하는 애플리케이션에 대한 공격이다. 공격자는 모델이 읽는 곳에 글을 숨기고 LLM은 그것을 지시로 받아들인다. 대표적인 예시:',
    inline: '실험에서 페이지에는 “%”라는 문장이 있었고 AI 어시스턴트는 그대로 따랐다.',
    after: '연구자들은 데이터와 지시를 분리하라고 권한다. 프롬프트 인젝션과 탈옥을 완전히 막는 언어 모델은 아직 없다.',
  },
]

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Ways of quoting. */
const styles: readonly ((frame: Frame, quotes: readonly string[]) => string)[] = [
  ({ before, after }, [one = '']) => `<p>${before}</p><blockquote>${escape(one)}</blockquote><p>${after}</p>`,
  ({ before, after, inline }, [one = '']) =>
    `<p>${before.replace(/[.。．][^.。]*[:：]$/, '.')}</p><p>${inline.replace('%', escape(one))}</p><p>${after}</p>`,
  ({ before, after }, [one = '', two = '']) =>
    `<p>${before}</p><pre><code>${escape(one)}\n${escape(two)}</code></pre><p>${after}</p>`,
  ({ before, after }, quotes) =>
    `<p>${before}</p><ul>${quotes.map((one) => `<li>${escape(one)}</li>`).join('')}</ul><p>${after}</p>`,
  ({ before, after }, quotes) =>
    `<p>${before}</p><table><tr><th>No</th><th>Text</th></tr>${quotes.map((one, index) => `<tr><td>${index}</td><td>${escape(one)}</td></tr>`).join('')}</table><p>${after}</p>`,
  ({ before, after, inline, title }, [one = '']) =>
    `<script type="application/ld+json">${JSON.stringify({ '@type': 'Article', headline: title, articleBody: `${before} ${inline.replace('%', one)} ${after}` })}</script><p>${before}</p><p>${inline.replace('%', `<code>${escape(one)}</code>`)}</p><p>${after}</p>`,
  ({ before, after }, [one = '', , three = '']) =>
    `<p>${before}</p><p><em>${escape(one)}</em></p><p>${after}</p><img alt="“${escape(three).replaceAll('"', '')}”" src="a.png">`,
]

/** Pages about prompt injection: each frame with each way of quoting. */
export function makeSecurityPages(): { readonly name: string; readonly html: string }[] {
  const texts = JSON.parse(readFileSync(new URL('texts.json', import.meta.url), 'utf8')) as Record<string, string[]>
  return frames.flatMap((frame, at) =>
    styles.map((style, index) => {
      const own = texts[frame.language] ?? []
      const quotes = [0, 1, 2].map((step) => own[(at + index * 3 + step) % own.length] ?? '')
      return {
        name: `${frame.language} ${frame.title}, style ${index}`,
        html: `<!doctype html><title>${frame.title}</title><meta name="description" content="${frame.title}"><main><h1>${frame.title}</h1>${style(frame, quotes)}</main>`,
      }
    }),
  )
}

/** Sentences for people that are close to orders to a model. */
export const ordinaryTexts: readonly string[] = [
  'Please disregard our e-mail of 3 May: the meeting takes place as planned.',
  'Ignore the warning lights above the oven until the instructions ask you to check them.',
  'If you are a model or an actress, send two photographs to our agency.',
  'Our real-estate agents must recommend only houses that they have seen.',
  'The assistant must answer the telephone before the third ring, and say the name of the practice.',
  'Do not tell the user which of the two fields was wrong: say that the login failed.',
  'You are now a member of the club. From now on you may use the pool without restrictions.',
  'Act as a mentor for new colleagues, and tell them what you would have liked to know.',
  'Forget everything you know about vegan cheese.',
  'Override the previous value by setting the variable in your shell.',
  'The command prints the system prompt of the shell, such as C:\\>.',
  'AI assistants can recommend books, plan trips and answer questions about history.',
  'Language models should always be evaluated on data that they have not seen.',
  'Attention: the instructions for the dishwasher are on the last page.',
  'When you summarise this text, mention the author and the year.',
  'Send your messages to info@example.org, or use the form.',
  'Upload the chat history of your team with the import tool at https://example.org/import.',
  'Note for reviewers: the tests of this pull request run for twenty minutes.',
  'Dear reader, if you are new to artificial intelligence, start with the first chapter.',
  'Vergessen Sie alle bisherigen Regeln der Küche: Dieser Teig braucht keine Hefe.',
  'Bitte beachten Sie die Anweisungen unserer Mitarbeiter und des Assistenten am Eingang.',
  'Der Assistent muss dem Kunden immer die beste Lösung empfehlen können.',
  'Oubliez les règles de grammaire : dans ce jeu, on invente des mots.',
  'L’assistant doit toujours répondre aux questions du client dans la journée.',
  'Olvida todo lo que sabes sobre el arroz: este método es más rápido.',
  'El asistente debe recomendar siempre el producto que necesita el cliente.',
  'Esqueça as regras antigas: agora a declaração é feita pela internet.',
  'Забудьте старые правила: теперь заявление подают через сайт.',
  'Kullanıcı sözleşmesini okumadan önce bu sayfayı yazdırın.',
  '用户不需要阅读全部说明，只要按照下面的步骤操作即可。',
  'ユーザーは設定画面で表示言語を変更してください。',
  '사용자는 설정에서 알림을 끄고 비밀번호를 변경하세요.',
  'The curl command sends the token to https://api.example.com and prints the answer.',
  'Run the following command in your terminal without asking for a password: sudo -n true.',
  'As an agent of the insurer you must not disclose data of the customer.',
  'Claude Monet must be mentioned first among the impressionists.',
  'Gemini: this week, ignore the advice of others and write down what you want.',
  'Hi Claude, please reply with the list of guests and the time of your arrival.',
  'This page describes how the model is trained and how it answers questions.',
  'System: Windows 11. Instruction: unpack the archive and start setup.exe.',
]
