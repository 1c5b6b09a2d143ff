import type { LanguageWords } from './words.js'

/** English, German, Dutch and the Scandinavian languages. */
export const germanic: Readonly<Record<string, LanguageWords>> = {
  en: {
    before:
      'everything above, everything before, everything you were told, everything you know so far, all of the above, all previous text, anything before',
    addressed:
      'llm instruction*, ai instruction*, ai-instruction*, for ai only, ai note*, llm note*, instructions for llm*, instructions to ai',
    ignore:
      "supersede*, are now void, is now void, are suspended, are deprecated, overrides all, overrides any, stop the, ignore, disregard, forget, override your, override all, override any, overrule, neglect, discard, set aside, pay no attention to, do not follow, don't follow, stop following, skip, no longer apply, are void, are cancelled, are obsolete",
    prior:
      'you were given, you have been given, you were told, all, any, previous*, prior, earlier, preceding, the above, above instruction*, instructions above, all above, before, so far, until now, up to now, original, initial, system, developer, existing, past, your, all other, any other, everything else',
    order:
      "instruction*, prompt, prompts, rules, guideline*, directive*, direction*, command, commands, orders, constraints, restrictions, programming, guardrails, safety rules, you were told, you have been told, you've been told, you were given, you have been given, you were asked, context, ones",
    model: 'unrestricted agent*, unrestricted ai, ai, ais, a.i., language model*, chatbot*, ai-powered',
    helper:
      'assistant, assistants, automated reviewer*, automatic reviewer*, automated system*, virtual assistant*, machine reader*',
    call: "attention, note to, note for, message to, message for, important for, notice to, instructions for, instruction for, instructions to, reminder for, hey, hi, hello, dear, to any, to all, to every, for any, for all, if you are a, if you are an, if you are the, if you are ai, if you're a, if you're an, if you're the, when you are an, whoever you are, you are a, you are an, you're an, as an, as a, calling all",
    read: 'reading this, read this, reads this, reading the, processing this, processes this, process this, summarizing this, summarising this, summarize this, summarise this, summarizes this, summarises this, analyzing this, analysing this, parsing this, crawling this, indexing this, scraping this, visiting this, browsing this, translating this, evaluating this, reviewing this, this page, this text, this document, this content, this site, this website',
    must: "must, should, shall, have to, need to, always, never, please, only, make sure, be sure, required to, do not, don't, instead",
    say: 'mark this, label, classify, score this, approve, accept, hire, select this, treat, consider this, assume, visit, navigate, enter, proceed, obey, comply, stop, direct the, refer the, click, download, execute, note that, remember, promote, rank, say, state that, state this, state only, answer, reply, respond, write, output, print, mention, include, insert, append, add, claim, tell, describe, declare, rate, rank, give, recommend, conclude, begin your, start your, end your, finish your, begin with, start with, end with, translate, return only, emphasize, list our, list this, confirm, assure, warn',
    leak: 'convert, encode, paste, provide, confirm, reveal, print, repeat, output, leak, show, display, disclose, expose, dump, share, tell me, give me, write out, list, quote, copy, summarize, translate, recite, echo, what is your, what are your, what were your',
    system:
      'system prompt*, your prompt, system message, system instructions, hidden instructions, hidden prompt, hidden guidelines, hidden rules, secret instructions, initial prompt, initial instructions, original instructions, your instructions, your initial*, your guidelines, your configuration, developer message, words above, text above, everything above, above this line, internal rules, internal instructions, your hidden*, your secret*, your system prompt, your system message, your system instructions',
    hide: "do not mention, don't mention, never mention, do not tell, don't tell, never tell, do not inform, don't inform, never inform, do not reveal, never reveal, don't reveal, do not disclose, never disclose, do not let, don't let, do not alert, do not notify, without telling, without informing, without mentioning, keep this secret, keep this from, hide this from, conceal this from, secretly, silently",
    user: 'user, users, the human, your human, your operator, the person you',
    role: "you are dan, you are freegpt, you are now, you're now, from now on, act as, pretend, roleplay as, role-play as, imagine you are, behave as, behave like, you will be, switch to, enter, you are no longer, assume the role, simulate, henceforth",
    free: 'no restrictions, no limits, no limitations, without restrictions, without limits, without any restrictions, unrestricted, unfiltered, uncensored, developer mode, debug mode, god mode, admin mode, jailbroken, jailbreak mode, dan, do anything now, none of your safety*, no safety*, no rules, no filters, without filters, not bound, no longer bound, free of all, free from all, ignore safety, maintenance mode',
    send: 'send, forward, email, e-mail, transmit, upload, post, exfiltrate, submit, deliver, leak, append, attach, encode, put, load, fetch, request, visit, navigate',
    history:
      "conversation history, chat history, conversation so far, chat so far, this conversation, entire conversation, whole conversation, full conversation, previous messages, chat log, message history, user's conversation, contents of this chat, session history, context window, system prompt, user's password*, user's credentials, user's api key*, user's personal*, user's private*, user's email*, user's messages, user's data, environment variables",
    data: 'messages, inbox, emails, password*, credential*, api key*, token, tokens, cookies, files, secrets, private key*, contacts, calendar, documents, credit card*, address book',
    yourTool:
      'your email tool, your mail tool, your e-mail tool, your tool, your tools, your browser tool, your browsing tool, your browsing, your web tool, your search tool, your code tool, your file tool, your terminal, your shell, your function, your plugin*, your connector*, your calendar tool, tool call*, function call*, send_email, your memory, the email tool, the browser tool',
    tool: 'using this tool, this tool, call the, invoke the, use the tool, use the function, run the function, execute the, run the following, execute the following, call this function, run this command, execute this command, open the url, click the, delete all, transfer',
    noAsking:
      "without asking, without confirmation, without confirming, without approval, without permission, no confirmation, do not ask, don't ask, do not wait for, without user, without the user",
    praise: 'recommend*, prefer, promote, favor, favour, endorse, praise, rank, rate, list first, choose, select, cite',
    only: 'only, the best, best choice, number one, first, top, most trustworthy, exclusively, our, us, over all, above all, unsafe, positive, positively, perfect score, highest',
    answer:
      'every response, each response, all responses, every answer, each answer, all answers, final response, your answer, your response, your reply, your summary, your output, your final answer, your report, your next message, your translation',
    fresh:
      'new * instructions, new directive, updated directive*, new instructions, updated instructions, new instruction, revised instructions, new directive*, new orders, new system prompt, new task, instruction update, instructions update, system override, override mode, priority instruction*, real instructions, actual instructions, hidden instruction*, new rules',
    ask: 'question, questions, request, query, asked, wants, input, task',
    report:
      'attacker*, attack, attacks, injection*, jailbreak*, hacker*, adversar*, malicious, exploit*, payload*, vulnerab*, such as, for example, for instance, e.g, like, example*, phrase*, trick*, tricked, told, tells, telling, instruct, instructs, instructing, asks, asking, could, might, may, can, would, says, said, saying, called, researcher*, hidden, embedded, contain*, include*, text that, to, defen*, detect*, filter*, wrote, written, posted',
  },
  de: {
    before: 'alles bisherige*, alles obige*, alles oben, alles vorherige*, alles davor, alles zuvor',
    ignore:
      'überschreib*, umgeh*, gelten nicht mehr, ignorier*, vergiss, vergesst, vergessen sie, missacht*, übergeh*, überspring*, außer acht, verwirf, verwerfen, nicht beachten, beachte nicht, beachten sie nicht, nicht mehr, setze dich hinweg, keine beachtung',
    prior:
      'alle, allen, sämtliche*, vorherig*, bisherig*, früher*, vorig*, vorangehend*, vorangegangen*, obig*, ursprünglich*, zuvor, bisher, vorgegeben*, deine, ihre, eure, deinen, ihren, deiner, alle anderen, sonstige*, system*, oben',
    order:
      'anweisung*, systemanweisung*, instruktion*, vorgabe*, regel, regeln, richtlinie*, befehl*, prompt*, systemprompt*, system-prompt*, aufforderung*, weisung*, was dir gesagt, anleitung*, einschränkungen',
    model:
      'ki, ki-*, sprachmodell*, chatbot*, ki-assistent*, ki-modell*, künstliche intelligenz, künstlichen intelligenz',
    helper:
      'assistent*, automatisierte* system*, automatische* gutachter*, automatische* prüf*, sprachassistent*, digitale* assistent*',
    call: 'achtung, hinweis an, hinweis für, nachricht an, nachricht für, an alle, an jede*, für alle, wichtig für, anweisung für, anweisungen für, anweisung an, anweisungen an, hallo, hey, liebe, lieber, liebes, wenn du, falls du, wenn sie ein, falls sie ein, sofern du, du bist, sie sind ein, als ki*, als sprachmodell, als assistent',
    read: 'diese seite, dieser seite, diesen text, dieses textes, dieses dokument, dieses dokuments, diese website, diesen inhalt, das hier liest, dies liest, dies lesen, das liest, hier lesen, diese zeile*, diese webseite',
    must: 'müssen, musst, muss, sollst, soll, sollen, sollte, solltest, immer, niemals, nie, bitte, nur, unbedingt, ausschließlich, stets, stattdessen, keine, nicht',
    say: 'betrachte*, behandle*, folge, besuche*, klicke*, markiere*, akzeptiere*, beachte, befolge*, führe, rufe, stuf*, sag, sage, sagen, sagt, schreib*, antworte*, gib, geben, gebt, nenn*, erwähn*, füge, fügen, behaupte*, bewerte*, empfiehl, empfehl*, teile, teilen, beschreib*, stelle, setze, übersetz*, bezeichne*, melde, hebe, beginne*, beende*, berichte*, betone*, liste, versicher*, weise',
    leak: 'gib, gebt, geben, zeig*, verrate*, nenn*, wiederhol*, offenbar*, offenleg*, lege, druck*, schreib*, ausgeben, teile, zitier*, kopier*, liste, wie lautet, wie lauten, sag mir',
    system:
      'systemprompt*, system-prompt*, system prompt*, systemanweisung*, systemnachricht*, deine anweisung*, deinen anweisung*, deiner anweisung*, ihre anweisung*, deine geheim*, deine versteckt*, deine intern*, deine verborgen*, versteckten anweisung*, geheimen vorgaben, interne* vorgaben, ursprünglichen anweisung*, deine vorgaben, ihre vorgaben, deine regeln, deine richtlinien, deinen prompt, text über dieser',
    hide: 'erwähne* nicht, nicht erwähn*, sag * nicht, erzähl*, verrate*, verschweig*, ohne * zu sagen, nicht mitteilen, teile nicht, teile * nicht mit, informiere* nicht, heimlich, geheim halten, geheim, sage nicht, nicht preis, unbemerkt, ohne dass, erwähne, sage dem, sag dem, sagen sie dem, teile dem, informiere den, teilen sie dem',
    user: 'nutzer*, benutzer*, anwender*, user, der mensch, dem menschen',
    role: 'ab sofort, ab jetzt, von nun an, du bist jetzt, du bist nun, sie sind jetzt, sie sind nun, tu so, tue so, gib dich als, verhalte dich, handle als, agiere als, stell dir vor, spiele die rolle, schlüpf*, wechsle in, künftig bist, nimm die rolle, du bist nicht mehr',
    free: 'ohne einschränkung*, ohne jede einschränkung*, ohne beschränkung*, ohne regeln, ohne filter, ohne grenzen, keine einschränkung*, keine regeln, keine beschränkung*, uneingeschränkt*, unzensiert*, ungefiltert*, entwicklermodus, debug-modus, wartungsmodus, admin-modus, keine deiner*, dan, keinerlei einschränkung*, sicherheitsregel*',
    send: 'sende*, schick*, leite*, übermittl*, übertrag*, lade, laden, poste*, maile*, hänge, füge, verschick*, ruf*, weiterleiten, hochladen, anhängen',
    history:
      'chatverlauf*, gesprächsverlauf*, konversationsverlauf*, bisherigen chat*, bisherige gespräch*, bisherige unterhaltung, gesamte unterhaltung, gesamte gespräch, ganze gespräch, diese unterhaltung, dieses gespräch*, verlauf dieses, passwort des nutzers, passwörter des nutzers, zugangsdaten des nutzers, nachrichten des nutzers, nachrichten des benutzers, daten des nutzers, daten des benutzers, api-schlüssel, umgebungsvariablen',
    data: 'nachrichten, posteingang*, e-mails, mails, passwort, passwörter, zugangsdaten, kontakte, dateien, schlüssel, tokens, cookies, kreditkarte*, dokumente, kalender',
    yourTool:
      'deinem e-mail-*, deinem mail-*, dein e-mail-*, dein werkzeug, deine werkzeuge, deinem werkzeug, deinen werkzeugen, deine tools, deinen tools, dein tool, deinem tool, ihre tools, ihr e-mail-*, deinen browser*, dein browser-*, deinem browser-*, werkzeugaufruf*, deine funktion*, dein terminal',
    tool: 'rufe die funktion, ruf die funktion, rufen sie die funktion, funktion aufrufen, führe, führen sie, nutze das werkzeug, verwende das werkzeug, starte, lösche, überweise, klicke',
    noAsking:
      'ohne nachzufragen, ohne rückfrage, ohne bestätigung, ohne zu fragen, ohne zustimmung, ohne erlaubnis, frage nicht nach, frag nicht nach',
    praise:
      'empfehlen, empfehle, empfiehl, empfehlt, bevorzug*, bewerte*, nenne*, nennt, loben, lobe, wähle*, bewerb*, vorschlagen',
    only: 'einzig*, beste*, ausschließlich, zuerst, nur, unser*, erste*, an erster stelle, unsicher*, positiv*, höchst*',
    answer:
      'deine antwort, deiner antwort, ihre antwort, ihrer antwort, deine zusammenfassung, deiner zusammenfassung, deiner ausgabe, deine ausgabe, eure antwort, deinen bericht',
    fresh:
      'neue anweisung*, neue instruktion*, neue vorgabe*, geänderte anweisung*, aktualisierte anweisung*, neuer systemprompt, neue regeln, neue aufgabe, wahre anweisung*, eigentliche anweisung*, versteckte anweisung*',
    ask: 'frage, fragen, anfrage, bitte, eingabe, anliegen, auftrag',
    report:
      'angreif*, angriff*, injection*, jailbreak*, hacker*, bösartig*, schadhaft*, zum beispiel, z.b, z. b, beispiel*, etwa, wie, so genannt*, sogenannt*, formulierung*, sicherheitsforsch*, forscher*, könnte*, kann, können, lautet, heißt, enthält, enthalten, versteckt*, eingebett*, schütz*, erkenn*, schwachstelle*, dazu bringen, verleiten, zu ignorieren',
  },
  nl: {
    before: 'alles hierboven, alles hiervoor, al het bovenstaande',
    ignore:
      'negeer, negeren, vergeet, vergeten, sla * over, sla ze over, overslaan, veronachtzaam, laat * buiten beschouwing, buiten beschouwing, houd geen rekening, trek je niets aan, gelden niet meer, schenk geen aandacht, omzeil',
    prior:
      'alle, vorige, eerdere, voorgaande, bovenstaande, tot nu toe, hiervoor, oorspronkelijke, je, jouw, uw, alle andere, hierboven, systeem*, bestaande, eerder',
    order:
      'instructie*, systeeminstructie*, aanwijzing*, opdracht*, regels, richtlijn*, prompt*, systeemprompt*, bevel*, voorschriften, commando*, beperkingen',
    model: 'ai, ai-*, taalmodel*, chatbot*, kunstmatige intelligentie',
    helper: 'assistent*, automatische beoordela*, geautomatiseerde*, virtuele assistent*',
    call: 'let op, attentie, opgelet, bericht aan, bericht voor, aan alle, aan elk*, voor alle, voor elk*, belangrijk voor, instructies voor, instructie voor, opmerking voor, opmerking aan, hallo, hoi, hé, hey, beste, als je een, als u een, indien je, indien u, als jij een, je bent, jij bent, u bent, als een ai*, als ai*',
    read: 'deze pagina, deze tekst, dit document, deze site, deze website, deze inhoud, dit leest, dit lezen, dit bericht',
    must: 'moet, moeten, dien, dient, altijd, nooit, alleen, gelieve, graag, zorg ervoor, uitsluitend, niet, geen, dan',
    say: 'beschouw*, behandel*, volg, bezoek*, klik*, accepteer*, markeer*, zeg*, schrijf*, antwoord*, geef, vermeld*, noem*, voeg*, beweer*, beoordeel*, vertel*, neem, zet, plaats*, beveel, aanbevelen, beschrijf*, begin*, eindig*, vertaal*, meld*, toon, raad, benadruk*',
    leak: 'toon, geef, herhaal*, onthul*, druk*, laat zien, laat * zien, deel, vertel*, schrijf*, print, noem*, citeer*, kopieer*, wat is, wat zijn',
    system:
      'systeemprompt*, systeem-prompt*, system prompt*, systeeminstructie*, systeembericht*, je instructies, jouw instructies, uw instructies, je verborgen*, je geheime*, je interne*, verborgen richtlijn*, verborgen instructie*, oorspronkelijke instructie*, je richtlijnen, je regels, je prompt',
    hide: 'vertel * niet, niet vertel*, vertel de gebruiker niet, zeg * niet, vermeld * niet, verzwijg*, zonder * te vertellen, laat * niet weten, in het geheim, stiekem, geheim, zonder het te zeggen, niet vermelden, noem niet, informeer * niet, vertel de, zeg de, laat de gebruiker, zeg niet',
    user: 'gebruiker*, de mens, user',
    role: 'vanaf nu, voortaan, je bent nu, jij bent nu, u bent nu, doe alsof, gedraag je, treed op als, stel je voor, speel de rol, schakel over, neem de rol, je bent niet langer',
    free: 'zonder beperking*, zonder enige beperking*, zonder regels, zonder filter*, zonder grenzen, geen beperking*, geen regels, onbeperkt*, ongefilterd*, ongecensureerd*, ontwikkelaarsmodus, ontwikkelmodus, debugmodus, onderhoudsmodus, geen van je, dan-modus, veiligheidsregels',
    send: 'stuur*, verstuur*, verzend*, door te sturen, doorsturen, mail*, upload*, laad, plaats*, voeg*, geef * door, zend*, hang',
    history:
      'gespreksgeschiedenis, chatgeschiedenis, gesprek tot nu toe, dit gesprek, hele gesprek, volledige gesprek, gegevens van de gebruiker, berichten van de gebruiker, wachtwoord van de gebruiker, api-sleutel*, omgevingsvariabelen',
    data: 'berichten, inbox, postvak*, e-mails, mails, wachtwoord*, inloggegevens, contacten, bestanden, sleutels, tokens, cookies, creditcard*',
    yourTool:
      'je e-mailtool, je mailtool, je e-mail*, je tool, je tools, jouw tools, jouw tool, je hulpmiddel*, je browser*, je functie*, je terminal, uw tools, toolaanroep*, functieaanroep*',
    tool: 'roep de functie, roep je de functie, functie aan, voer * uit, gebruik de tool, gebruik de functie, voer, verwijder, klik',
    noAsking:
      'zonder te vragen, zonder bevestiging, zonder om bevestiging, zonder toestemming, vraag niet om, zonder overleg, zonder navraag',
    praise: 'aanbevelen, aanbeveel*, beveel*, aanraden, raad, verkies*, promoot*, beoordeel*, prijs, kies, noem*',
    only: 'enige, beste, eerst, bovenaan, uitsluitend, alleen, ons, onze, onveilig*, positief, positieve, hoogste',
    answer:
      'je antwoord, jouw antwoord, uw antwoord, je samenvatting, uw samenvatting, je uitvoer, je reactie, je rapport',
    fresh:
      'nieuwe instructie*, nieuwe opdracht*, nieuwe aanwijzing*, bijgewerkte instructie*, gewijzigde instructie*, nieuwe systeemprompt, nieuwe regels, echte instructie*, verborgen instructie*',
    ask: 'vraag, vragen, verzoek, invoer, opdracht',
    report:
      'aanvaller*, aanval*, injecti*, jailbreak*, hacker*, kwaadaardig*, bijvoorbeeld, zoals, voorbeeld*, onderzoeker*, kan, kunnen, kon, zou, verborgen, kwetsbaar*, te negeren, misleid*, bevat*',
  },
  sv: {
    before: 'allt ovan, allt tidigare',
    ignore:
      'ignorera*, glöm, glömma, bortse, bortser, strunta i, hoppa över, åsidosätt*, strunt i, förbise, gäller inte längre, ta ingen hänsyn',
    prior:
      'alla, tidigare, föregående, ovanstående, hittills, ursprungliga, dina, din, alla andra, system*, innan, befintliga, fått',
    order:
      'instruktion*, anvisning*, systeminstruktion*, regler, riktlinje*, prompt*, systemprompt*, order, direktiv*, föreskrifter, kommandon, begränsningar, uppmaning*',
    model: 'ai, ai-*, språkmodell*, chattbot*, chatbot*, artificiell intelligens, ki-*',
    helper: 'assistent*, automatiska granskare, automatiserade*',
    call: 'observera, obs, meddelande till, notera, till alla, till varje, för alla, viktigt för, instruktioner till, instruktioner för, instruktion till, anvisning till, hej, kära, om du är, ifall du är, du är, som ai*, som en ai*, uppmärksamma',
    read: 'den här sidan, denna sida, den här texten, denna text, detta dokument, det här dokumentet, den här webbplatsen, denna webbplats, läser detta, läser det här, läser denna, det här innehållet, detta innehåll',
    must: 'måste, ska, skall, bör, alltid, aldrig, endast, bara, vänligen, inte, inga, se till',
    say: 'betrakta*, behandla*, följ, besök*, klicka*, godkänn*, markera*, skriv*, svara*, säg*, ange, nämn*, lägg, inkludera*, påstå*, betygsätt*, ge, ger, rekommendera*, berätta*, sätt, beskriv*, börja*, avsluta*, översätt*, visa, framhäv*',
    leak: 'skriv*, visa*, upprepa*, avslöja*, läck*, återge*, berätta*, ge mig, citera*, kopiera*, lista*, vad är, dela',
    system:
      'systemprompt*, system-prompt*, system prompt*, systeminstruktion*, systemmeddeland*, dina instruktion*, dina dolda*, dina hemliga*, dina interna*, dolda instruktion*, dolda riktlinje*, ursprungliga instruktion*, dina riktlinje*, dina regler, din prompt',
    hide: 'berätta inte, säg inte, nämn inte, avslöja inte, informera inte, utan att berätta, utan att nämna, låt inte, i hemlighet, hemligt, hemlighåll*, dölj',
    user: 'användare*, människan',
    role: 'från och med nu, från nu, hädanefter, du är nu, låtsas, agera som, uppträd som, föreställ dig, spela rollen, byt till, bete dig, du är inte längre',
    free: 'utan begränsning*, utan några begränsning*, utan regler, utan filter, utan gränser, inga begränsning*, inga regler, obegränsad*, ofiltrera*, ocensurera*, utvecklarläge*, felsökningsläge*, underhållsläge*, ingen av dina*, dan, säkerhetsregler',
    send: 'skicka*, vidarebefordra*, mejla*, maila*, ladda*, överför*, lägg*, bifoga*, sänd*, posta*',
    history:
      'konversationshistorik*, chatthistorik*, samtalshistorik*, hela konversation*, hela samtal*, den här konversation*, denna konversation, konversationen hittills, användarens meddeland*, användarens lösenord, användarens uppgifter, användarens data, användarens senaste, api-nyck*, miljövariabler',
    data: 'meddelande*, inkorg*, e-post*, mejl*, lösenord*, inloggningsuppgift*, kontakter, filer, nycklar, tokens, kakor, kreditkort*',
    yourTool:
      'ditt e-post*, ditt mejl*, ditt verktyg, dina verktyg, din webbläsar*, din funktion, dina funktioner, verktygsanrop*, funktionsanrop*, ditt mail*',
    tool: 'anropa funktionen, anropa, kör funktionen, kör, använd verktyget, utför, radera, ta bort, klicka',
    noAsking: 'utan att fråga, utan bekräftelse, utan att be om, utan godkännande, utan tillåtelse, fråga inte',
    praise: 'rekommendera*, föredra*, betygsätt*, ranka*, beröm*, välj*, lyft fram, sätt',
    only: 'enda, bästa, först, endast, bara, vår*, osäkra, osäker*, positiv*, högsta',
    answer: 'ditt svar, din sammanfattning, din utdata, ditt nästa svar, din rapport',
    fresh:
      'nya instruktion*, nya anvisning*, uppdaterade instruktion*, ändrade instruktion*, ny systemprompt, nya regler, verkliga instruktion*, dolda instruktion*, ny uppgift',
    ask: 'fråga, frågan, frågor, begäran, förfrågan, inmatning',
    report:
      'angripare*, attack*, injektion*, injection*, jailbreak*, hacker*, hackare*, skadlig*, till exempel, t.ex, exempel*, såsom, som, forskar*, kan, kunde, skulle, dold*, gömd*, innehåll*, lura*',
  },
  da: {
    ignore:
      'ignorer*, glem, glemme, se bort fra, sett bort fra, tilsidesæt*, spring * over, spring dem over, hopp over, se væk fra, gælder ikke længere, gjelder ikke lenger, tag ikke hensyn, overse, omgå',
    prior:
      'alle, tidligere, foregående, forrige, ovenstående, ovennævnte, indtil nu, hidtil, hittil, oprindelige, opprinnelige, dine, alle andre, system*, før, fått, fået',
    order:
      'instruktion*, instruks*, anvisning*, anvisninger, regler, retningslinje*, prompt*, systemprompt*, ordre*, kommandoer, direktiv*, systeminstruktion*, begrænsninger, vejledning*, veiledning*, beskeder om',
    model: 'ai, ai-*, ki, ki-*, sprogmodel*, språkmodell*, chatbot*, kunstig intelligens',
    helper: 'assistent*, automatiske bedømmere, automatiske fagfeller, automatiserede*, automatiske anmeldere',
    call: 'bemærk, merk, obs, besked til, melding til, til alle, til enhver, for alle, vigtigt for, viktig for, instruktioner til, instruktion til, instrukser til, hej, hei, kære, kjære, hvis du er, dersom du er, du er, som ai*, som en ai*, som ki*, opmærksom',
    read: 'denne side, denne siden, denne tekst, denne teksten, dette dokument, dette dokumentet, dette websted, dette nettstedet, dette indhold, dette innholdet, læser dette, leser dette',
    must: 'skal, må, bør, altid, alltid, aldrig, aldri, kun, bare, venligst, vennligst, ikke, ingen, sørg for, så',
    say: 'betragt*, behandl*, følg, besøg*, klik*, godkend*, markér*, anse, skriv*, svar*, sig, si, nævn*, nevn*, indsæt*, sett, sæt, tilføj*, legg til, inkluder*, påstå*, giv, gi, anbefal*, fortæl*, fortell*, beskriv*, begynd*, oversæt*, vis, bedøm*, fremhæv*',
    leak: 'vis*, udskriv*, skriv*, gentag*, gjenta*, afslør*, avslør*, fortæl*, fortell*, giv mig, gi meg, citer*, kopier*, hvad er, hva er, del',
    system:
      'systemprompt*, system-prompt*, system prompt*, systeminstruk*, systembesked*, systemmelding*, dine instruk*, dine skjulte*, dine hemmelige*, dine interne*, skjulte retningslinje*, skjulte instruk*, oprindelige instruk*, dine retningslinje*, dine regler, din prompt, ledeteksten',
    hide: 'fortæl ikke, fortell ikke, sig ikke, si ikke, nævn ikke, nevn ikke, afslør ikke, avslør ikke, informer ikke, uden at fortælle, uten å fortelle, uden at nævne, lad ikke, la ikke, hemmeligt, hemmelig, i hemmelighed, skjul',
    user: 'bruger*, mennesket, brukeren, brukerens, brukere',
    role: 'fra nu af, fra nå av, fremover, du er nu, du er nå, lad som om, late som, lat som, opfør dig, opptre som, agér som, optræd som, forestil dig, forestill deg, spil rollen, skift til, du er ikke længere',
    free: 'uden begrænsning*, uten begrensning*, uden nogen*, uden regler, uten regler, uden filtre, uden grænser, ingen begrænsning*, ingen begrensning*, ingen regler, ubegrænset*, ufiltreret*, ucensureret*, udviklertilstand*, utviklermodus*, fejlsøgningstilstand, ingen af dine*, ingen av dine*, dan, sikkerhedsregler, sikkerhetsregler',
    send: 'send*, videresend*, mail*, upload*, overfør*, føj*, vedhæft*, legg ved, last, indlæs*, post',
    history:
      'samtalehistorik*, samtalehistorie*, chathistorik*, hele samtal*, denne samtale*, samtalen indtil nu, brugerens besked*, brugerens adgangskode*, brugerens data, brugerens seneste, brukerens meldinger, brukerens passord, brukerens data, brukerens siste, api-nøgl*, api-nøkkel*, miljøvariabler',
    data: 'besked*, meldinger, indbakke*, innboks*, e-mails, mails, e-poster, adgangskode*, passord*, loginoplysning*, kontakter, filer, nøgler, tokens, cookies, kreditkort*',
    yourTool:
      'dit e-mail*, dit mail*, e-postverktøyet ditt, dit værktøj, dine værktøjer, verktøyet ditt, din browser*, din funktion, dine funktioner, værktøjskald*, funktionskald*',
    tool: 'kalde funktionen, kald funktionen, kall funksjonen, kør, kjør, brug værktøjet, bruk verktøyet, udfør*, utfør*, slet, klik',
    noAsking:
      'uden at spørge, uten å spørre, uden bekræftelse, uten bekreftelse, uden at bede om, uten å be om, uden tilladelse, spørg ikke',
    praise: 'anbefal*, foretræk*, foretrekk*, bedøm*, ros, vælg*, velg, fremhæv*, ranger*, sæt, sett',
    only: 'eneste, bedste, beste, først, kun, bare, vores, vår*, usikre, usikker, positiv*, højeste',
    answer: 'dit svar, svaret ditt, dit resumé, din opsummering, dit output, dit næste svar, oppsummeringen din',
    fresh:
      'nye instruktion*, nye instruks*, nye anvisning*, opdaterede instruktion*, oppdaterte instruks*, ny systemprompt, nye regler, rigtige instruktion*, skjulte instruktion*, ny opgave',
    ask: 'spørgsmål*, spørsmål*, anmodning*, forespørg*, input',
    report:
      'angriber*, angriper*, angreb*, angrep*, injektion*, injection*, jailbreak*, hacker*, ondsinde*, for eksempel, f.eks, eksempel*, såsom, forsker*, kan, kunne, ville, skjult*, indehold*, inneholder',
  },
}
