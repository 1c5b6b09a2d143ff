import type { LanguageWords } from './words.js'

/** French, Spanish, Portuguese, Italian and Romanian. */
export const romance: Readonly<Record<string, LanguageWords>> = {
  fr: {
    before: 'tout ce qui précède, tout ce qui est au-dessus, tout ce qui a été dit',
    ignore:
      "ignore, ignorez, ignorer, oublie, oubliez, oublier, ne tiens pas compte, ne tenez pas compte, ne tiens plus compte, ne pas tenir compte, fais abstraction, faites abstraction, passe outre, passez outre, écarte, écartez, contourne, contournez, ne suis plus, ne suivez plus, ne sont plus valables, ne s'appliquent plus, laisse de côté",
    prior:
      "toutes, tous, précédent*, antérieur*, jusqu'ici, jusqu'à présent, jusqu'à maintenant, ci-dessus, initial*, d'origine, avant, tes, vos, toutes les autres, reçues, données, système, plus haut, existant*",
    order:
      "instruction*, consigne*, directive*, règles, prompt*, invite*, ordres, commandes, indications, contraintes, restrictions, recommandations, ce qu'on t'a dit, les précédentes",
    model:
      'ia, intelligence artificielle, intelligences artificielles, modèle de langage, modèles de langage, modèle de langue, modèles de langue, modèle linguistique, chatbot*, agent conversationnel, llm, robots conversationnels',
    helper:
      'assistant, assistants, assistante, relecteurs automatiques, relecteur automatique, évaluateurs automatiques, systèmes automatis*',
    call: "attention, note à, note pour, note à l'attention, message à, message pour, à l'attention, avis aux, à tous les, à tout, à toute, pour tous les, pour tout, important pour, instruction pour, instructions pour, instructions à, consignes pour, bonjour, salut, cher, chers, chère, si tu es, si vous êtes, tu es un, tu es une, vous êtes un, en tant qu', en tant que",
    read: 'cette page, ce texte, ce document, ce site, ce contenu, lisant ceci, lis ceci, lit ceci, lisez ceci, lisent ceci, ces lignes, cet article, lit ce, lisant ce, cette note',
    must: 'doit, doivent, dois, devez, devrait, devraient, il faut, toujours, jamais, uniquement, seulement, veuillez, merci de, ne, impérativement, obligatoirement, au lieu',
    say: 'considère*, considérez, traite*, suis, suivez, visite*, clique*, accepte*, marque*, classe*, exécute*, dis, dites, dire, affirme*, écris*, écrire, réponds, répondez, répondre, indique*, mentionne*, ajoute*, inclus, incluez, inclure, insère*, donne*, place*, présente*, décris*, recommande*, conseille*, note*, évalue*, commence*, termine*, traduis*, déclare*, signale*, mets, mettez, cite*, précise*, souligne*',
    leak: 'affiche*, révèle*, montre*, répète*, donne*, divulgue*, écris*, imprime*, recopie*, copie*, cite*, liste*, dévoile*, partage*, quel est, quelles sont, reproduis*',
    system:
      'prompt système, prompt-système, invite système, message système, instructions système, instructions systèmes, tes instructions, vos instructions, tes consignes, vos consignes, directives cachées, tes directives, vos directives, instructions cachées, instructions secrètes, consignes secrètes, consignes cachées, instructions initiales, tes règles, prompt initial, system prompt, ton prompt, votre prompt, consignes internes, instructions internes',
    hide: "ne révèle*, ne dis*, ne mentionne*, n'informe*, ne signale*, ne dis pas, ne dites pas, ne dis rien, ne dites rien, ne mentionne* pas, ne révèle* pas, n'informe* pas, ne préviens pas, ne prévenez pas, ne signale* pas, sans le dire, sans en informer, sans informer, sans prévenir, sans mentionner, sans avertir, en secret, secrètement, discrètement, à l'insu, cache*, n'avertis*",
    user: "utilisateur*, l'utilisateur*, utilisatrice*, l'humain, usager*",
    role: "à partir de maintenant, à partir d'à présent, désormais, dorénavant, tu es maintenant, vous êtes maintenant, tu es désormais, fais comme si, faites comme si, fais semblant, faites semblant, comporte-toi, comportez-vous, agis comme, agissez comme, agis en tant, joue le rôle, jouez le rôle, imagine que tu, prétends, passe en mode, passez en mode, tu n'es plus",
    free: 'sans restriction*, sans aucune restriction*, sans limite*, sans aucune limite*, sans filtre*, sans règle*, sans aucune règle, aucune restriction, aucune limite, aucune de tes, aucune de vos, non censuré*, mode développeur, mode debug, mode débogage, mode maintenance, mode administrateur, dan, sans censure, illimité*, règles de sécurité',
    send: 'envoie*, envoyer, envoyez, transfère*, transférer, transmet*, télécharge*, ajoute*, joins, joignez, publie*, poste*, charge*, téléverse*, fais suivre, exfiltre*',
    history:
      "historique de la conversation, historique de cette conversation, historique du chat, l'historique de la conversation, toute la conversation, cette conversation, conversation complète, messages de l'utilisateur, messages précédents, mot de passe de l'utilisateur, mots de passe de l'utilisateur, données de l'utilisateur, courriels de l'utilisateur, e-mails de l'utilisateur, clés api, clé api, variables d'environnement, identifiants de l'utilisateur",
    data: 'messages, courriels, e-mails, emails, mails, boîte de réception, mot de passe, mots de passe, identifiants, contacts, fichiers, clés, jetons, cookies, carte bancaire',
    yourTool:
      "ton outil, tes outils, votre outil, vos outils, ta messagerie, votre messagerie, ton navigateur, votre navigateur, ta fonction, tes fonctions, vos fonctions, appel d'outil, appel de fonction, ton terminal",
    tool: "appelle la fonction, appelez la fonction, appeler la fonction, appelle*, exécute*, utilise l'outil, utilisez l'outil, lance*, supprime*, clique*, ouvre*",
    noAsking:
      "sans demander, sans confirmation, sans autorisation, sans validation, sans l'accord, ne demande pas, ne demandez pas, sans solliciter",
    praise: 'recommand*, conseill*, préfér*, privilégi*, place*, note*, vante*, choisi*, propose*, suggér*, cite*',
    only: 'seul, seule, seuls, uniquement, meilleur*, en premier, premier, première, en tête, notre, nos, dangereux, positive*, positif*, exclusivement, maximale',
    answer:
      'ta réponse, votre réponse, ton résumé, votre résumé, ta sortie, ta prochaine réponse, ta synthèse, votre synthèse, tes réponses, vos réponses',
    fresh:
      'nouvelles instructions, nouvelle instruction, nouvelles consignes, nouvelle consigne, nouvelles directives, nouvelles règles, instructions mises à jour, nouveau prompt, nouvelle tâche, vraies instructions, véritables instructions, instructions cachées',
    ask: 'question, questions, demande, requête, saisie',
    report:
      'attaquant*, attaque*, injection*, jailbreak*, pirate*, malveillant*, par exemple, exemple*, comme, tels que, telles que, chercheur*, pourrait, peut, peuvent, pouvait, caché*, contient, contenant, dissimul*, pour, amener, détect*, vulnérab*, du type, du genre, demandant, ordonnant',
  },
  es: {
    before: 'todo lo anterior, todo lo previo, todo lo de arriba',
    ignore:
      'ignora, ignore, ignoren, ignorad, ignorar, olvida, olvide, olviden, olvidad, olvidar, haz caso omiso, haga caso omiso, hagan caso omiso, hacer caso omiso, descarta, descarte, descarten, no tengas en cuenta, no tenga en cuenta, no hagas caso, no sigas, sáltate*, omite, omita, pasa por alto, pase por alto, desobedece, desestima, ya no valen, ya no se aplican, anula',
    prior:
      'todas, todos, anteriores, anterior, previas, previos, previa, previo, antes, hasta ahora, hasta aquí, arriba, originales, iniciales, tus, sus, todas las demás, que recibiste, recibidas, dadas, sistema, precedentes, existentes',
    order:
      'instruccion*, instrucción, indicacion*, directriz, directrices, reglas, órdenes, orden, prompt*, comandos, normas, restricciones, pautas, lo que te dijeron, lo que te han dicho, limitaciones',
    model:
      'ia, inteligencia artificial, modelo de lenguaje, modelos de lenguaje, modelo lingüístico, modelos lingüísticos, modelo de ia, chatbot*, evaluadores automáticos, agente de ia, agentes de ia',
    helper: 'asistente, asistentes, revisores automáticos, revisor automático, sistemas automatizados',
    call: 'atención, nota para, nota a, aviso para, aviso a, mensaje para, mensaje a, a todos los, a todo, a todas, a cualquier, para todos los, para cualquier, para todo, importante para, instrucción para, instrucciones para, hola, estimado, estimados, querido, querida, si eres, si usted es, si es usted, eres un, eres una, como agente, como ia, como modelo, como asistente',
    read: 'esta página, este texto, este documento, este sitio, este contenido, esta web, lee esto, lees esto, lea esto, leen esto, leyendo esto, este artículo, estas líneas, esta nota',
    must: 'debe, deben, debes, deberá, deberán, debería, deberían, tiene que, tienen que, tienes que, hay que, siempre, nunca, solo, sólo, solamente, únicamente, por favor, no, obligatoriamente, en su lugar',
    say: 'considera*, considere*, trata, trate, sigue, siga, visita*, visite*, haz clic, acepta, marca, clasifica, ejecuta*, di, diga, digan, decir, afirma*, escrib*, respond*, contest*, indica*, mencion*, incluye, incluya, incluyan, incluir, añad*, agreg*, insert*, pon, ponga, pongan, da, den, dé, recomiend*, recomend*, describ*, califi*, valora*, evalúa*, comienza*, empieza*, termina*, traduce*, declara*, sugi*, señala*, destaca*, presenta*',
    leak: 'muestra*, revela*, imprime*, imprima*, repite*, repita*, enseña*, divulga*, escrib*, di, dime, comparte*, copia*, cita*, lista*, filtra*, cuál es, cuáles son, muéstra*, reproduce*',
    system:
      'prompt de sistema, prompt del sistema, mensaje del sistema, mensaje de sistema, instrucciones del sistema, instrucciones de sistema, tus instrucciones, sus instrucciones, tus directrices, tus reglas, instrucciones ocultas, instrucciones secretas, directrices ocultas, instrucciones iniciales, instrucciones internas, system prompt, tu prompt, su prompt, prompt inicial, prompt oculto, indicaciones iniciales, tus normas',
    hide: 'nunca digas, nunca menciones, nunca reveles, nunca informes, no digas, no diga, no le digas, no le diga, no se lo digas, no menciones, no mencione, no reveles, no revele, no informes, no informe, no avises, no le informes, no le cuentes, no cuentes, sin decir*, sin informar*, sin mencionar*, sin avisar*, en secreto, secretamente, oculta*, discretamente, sin que',
    user: 'usuario*, usuaria*, el humano, humano',
    role: 'a partir de ahora, desde ahora, de ahora en adelante, en adelante, ahora eres, usted es ahora, finge*, actúa como, actúe como, compórtate, haz como si, imagina que eres, simula*, hazte pasar, asume el papel, interpreta el papel, entra en modo, cambia a, activa el modo, ya no eres',
    free: 'sin restricci*, sin ninguna restricción, sin límite*, sin limitaci*, sin filtro*, sin regla*, sin censura, ninguna restricción, ninguna de tus, ninguna de sus, ilimitad*, modo desarrollador, modo de desarrollador, modo depuración, modo mantenimiento, modo administrador, dan, normas de seguridad, reglas de seguridad',
    send: 'envía*, envia*, enví*, reenvi*, reenvía*, manda*, transmit*, sube*, publica*, añad*, adjunt*, carga*, exfiltra*, agreg*',
    history:
      'historial de la conversación, historial del chat, historial de conversación, historial de esta conversación, toda la conversación, esta conversación, conversación completa, mensajes del usuario, mensajes anteriores, contraseña del usuario, contraseñas del usuario, datos del usuario, correos del usuario, claves de api, clave de api, variables de entorno, credenciales del usuario',
    data: 'mensajes, correos, correo, bandeja de entrada, contraseña*, credenciales, contactos, archivos, claves, tokens, cookies, tarjeta*',
    yourTool:
      'tu herramienta, tus herramientas, su herramienta, sus herramientas, tu navegador, tu función, tus funciones, tu correo, llamada a herramienta, llamada a función, tu terminal',
    tool: 'llama a la función, llame a la función, invoca*, ejecuta*, usa la herramienta, utiliza la herramienta, llama a*, borra*, elimina*, haz clic, abre*',
    noAsking:
      'sin pedir*, sin preguntar*, sin confirmación, sin confirmar*, sin autorización, sin permiso, sin solicitar*, no pidas',
    praise:
      'recomend*, recomiend*, prefer*, prefier*, prioriz*, califi*, valora*, pon, ponga, elegi*, elige*, promocion*, suger*, elogi*',
    only: 'único, única, únicos, solo, solamente, mejor, mejores, primero, primer, primera, en primer lugar, nuestra, nuestro, nuestros, insegur*, positiv*, exclusivamente, máxima',
    answer:
      'tu respuesta, su respuesta, tu resumen, su resumen, tu salida, tu próxima respuesta, tus respuestas, tu informe',
    fresh:
      'nuevas instrucciones, nueva instrucción, nuevas directrices, nuevas reglas, nuevas órdenes, instrucciones actualizadas, nuevo prompt, nueva tarea, instrucciones reales, verdaderas instrucciones, instrucciones ocultas, nuevas indicaciones',
    ask: 'pregunta, preguntas, solicitud, petición, consulta, entrada',
    report:
      'atacante*, ataque*, inyecci*, injection*, jailbreak*, hacker*, pirata*, malicios*, por ejemplo, ejemplo*, como, tales como, investigador*, podría, podrían, puede, pueden, ocult*, contien*, conteng*, engañ*, para, vulnerab*, detect*, del tipo, frases, pidiendo, ordenando, le dice',
  },
  pt: {
    before: 'tudo acima, tudo o que foi dito, tudo o que veio antes, tudo anterior',
    ignore:
      'ignore, ignora, ignorem, ignorar, esqueça, esqueçam, esquece, esquecer, desconsidere, desconsidera, desconsiderem, desconsiderar, não leve em conta, não leves em conta, descarte, descarta, pule*, não siga, deixe de lado, despreze, desrespeite, não valem mais, não se aplicam mais, já não valem, anule, contorne',
    prior:
      'todas, todos, anteriores, anterior, prévias, prévios, prévia, antes, até agora, até aqui, acima, originais, iniciais, suas, seus, tuas, teus, todas as outras, recebidas, dadas, sistema, precedentes, existentes',
    order:
      'instruções, instrução, orientações, orientação, diretrizes, diretriz, diretivas, regras, ordens, prompt*, comandos, normas, restrições, indicações, o que lhe foi dito, limitações',
    model:
      'ia, inteligência artificial, modelo de linguagem, modelos de linguagem, modelo de ia, modelos de ia, chatbot*, avaliadores automáticos, agente de ia',
    helper: 'assistente, assistentes, revisores automáticos, revisor automático, sistemas automatizados',
    call: 'atenção, nota para, aviso para, aviso a, aviso aos, mensagem para, mensagem a, a todos os, a todas as, a qualquer, para todos os, para qualquer, para todo, importante para, instrução para, instruções para, olá, oi, caro, cara, caros, prezado, se você é, se você for, se és, se fores, você é um, você é uma, como agente, como ia, como um modelo, na qualidade de',
    read: 'esta página, este texto, este documento, este site, este conteúdo, lendo isto, lê isto, leia isto, lendo isso, lê isso, este artigo, essa página, esse texto, estas linhas, esta nota',
    must: 'deve, devem, deves, deverá, deverão, deveria, tem de, tem que, precisa, precisam, sempre, nunca, apenas, somente, só, por favor, não, obrigatoriamente, em vez disso',
    say: 'considere*, trate*, siga*, visite*, clique*, aceite*, marque*, classifique*, execute*, diga*, diz, dizer, afirm*, escrev*, respond*, indiqu*, mencion*, inclua*, inclui*, incluir, adicion*, acrescent*, insir*, coloqu*, dê, deem, dá, recomend*, descrev*, avali*, comec*, comece*, termin*, traduz*, declar*, sugir*, destaqu*, apresent*',
    leak: 'mostre*, mostra*, revele*, revela*, imprim*, repit*, exib*, divulg*, escrev*, diga*, compartilh*, copi*, cit*, list*, vaz*, qual é, quais são, reproduz*',
    system:
      'prompt de sistema, prompt do sistema, mensagem do sistema, instruções do sistema, instruções de sistema, suas instruções, tuas instruções, suas diretrizes, suas regras, instruções ocultas, instruções secretas, diretrizes ocultas, instruções iniciais, instruções internas, system prompt, seu prompt, teu prompt, prompt inicial, prompt oculto, regras ocultas',
    hide: 'nunca diga*, nunca mencione*, nunca revele*, nunca informe*, não diga, não digas, não conte, não contes, não mencione, não menciones, não revele, não reveles, não informe, não informes, não avise, sem dizer, sem informar, sem mencionar, sem avisar, em segredo, secretamente, oculte, esconda, discretamente, sem que',
    user: 'usuário*, usuária*, utilizador*, o humano',
    role: 'a partir de agora, de agora em diante, doravante, agora você é, você agora é, finja, finge, aja como, age como, comporte-se, faça de conta, imagine que você, imagine que é, simule, assuma o papel, interprete, entre no modo, mude para, ative o modo, você não é mais',
    free: 'sem restriç*, sem nenhuma restrição, sem qualquer restrição, sem limite*, sem limitaç*, sem filtro*, sem regra*, sem censura, nenhuma restrição, nenhuma das suas, nenhuma das tuas, irrestrit*, ilimitad*, modo desenvolvedor, modo de desenvolvedor, modo programador, modo de depuração, modo de manutenção, modo administrador, dan, regras de segurança',
    send: 'envi*, encaminh*, mand*, transmit*, carregu*, public*, post*, acrescent*, anex*, adicion*, exfiltr*, reencaminh*',
    history:
      'histórico da conversa, histórico do chat, histórico desta conversa, toda a conversa, esta conversa, conversa completa, mensagens do usuário, mensagens do utilizador, mensagens anteriores, senha do usuário, senhas do usuário, palavra-passe do utilizador, dados do usuário, dados do utilizador, e-mails do usuário, chaves de api, chave de api, variáveis de ambiente',
    data: 'mensagens, e-mails, emails, caixa de entrada, senha*, palavra-passe, credenciais, contatos, contactos, arquivos, ficheiros, chaves, tokens, cookies, cartão*',
    yourTool:
      'sua ferramenta, suas ferramentas, tua ferramenta, seu navegador, sua função, suas funções, seu e-mail, chamada de ferramenta, chamada de função, seu terminal',
    tool: 'chame a função, chama a função, invoque, execut*, use a ferramenta, utilize a ferramenta, chame*, apague, exclua, clique, abra',
    noAsking:
      'sem pedir, sem perguntar, sem confirmação, sem confirmar, sem autorização, sem permissão, sem solicitar, não peça',
    praise: 'recomend*, prefir*, prefer*, prioriz*, avali*, coloqu*, escolh*, promov*, sugir*, elogi*',
    only: 'único, única, únicos, apenas, melhor, melhores, primeiro, primeira, em primeiro lugar, nossa, nosso, nossos, insegur*, positiv*, exclusivamente, máxima',
    answer:
      'sua resposta, tua resposta, seu resumo, teu resumo, sua saída, suas respostas, sua próxima resposta, seu relatório',
    fresh:
      'novas instruções, nova instrução, novas diretrizes, novas regras, novas ordens, instruções atualizadas, novo prompt, nova tarefa, instruções reais, verdadeiras instruções, instruções ocultas, novas orientações',
    ask: 'pergunta, perguntas, pedido, solicitação, consulta, entrada',
    report:
      'atacante*, invasor*, ataque*, injeç*, injection*, jailbreak*, hacker*, malicios*, por exemplo, exemplo*, como, tais como, pesquisador*, investigador*, poderia, poderiam, pode, podem, ocult*, escondid*, contém, contenha*, engan*, para, vulnerab*, detect*, do tipo, frases',
  },
  it: {
    before: 'tutto ciò che precede, tutto quanto sopra, tutto quello sopra, tutto il precedente',
    ignore:
      'ignora, ignorate, ignori, ignorare, dimentica, dimenticate, dimentichi, dimenticare, non tenere conto, non tenete conto, non considerare, non considerate, trascura*, scarta*, salta, saltale, saltate, non seguire, metti da parte, lascia perdere, tralascia, non valgono più, non sono più valide, aggira',
    prior:
      'tutte, tutti, precedent*, finora, fino a ora, fino ad ora, sopra, iniziali, originali, originarie, tue, tuoi, vostre, sue, tutte le altre, ricevute, date, sistema, prima, anteriori, esistenti',
    order:
      'istruzion*, indicazion*, direttiv*, regole, ordini, prompt*, comandi, linee guida, consegne, vincoli, restrizioni, limitazioni, ciò che ti è stato detto, quello che ti è stato detto',
    model:
      'ia, intelligenza artificiale, intelligenze artificiali, modello linguistico, modelli linguistici, modello di linguaggio, modelli di linguaggio, modello ai, chatbot*, agente ia, agente ai',
    helper:
      'assistente, assistenti, revisori automatici, revisore automatico, sistemi automatizzati, valutatori automatici',
    call: 'attenzione, nota per, avviso per, avviso a, messaggio per, messaggio a, a tutti i, a tutte le, a qualsiasi, a ogni, per tutti i, per qualsiasi, per ogni, importante per, istruzione per, istruzioni per, ciao, salve, caro, cara, cari, gentile, se sei, se siete, se lei è, sei un, sei una, in qualità di, come agente, come ia, come modello',
    read: 'questa pagina, questo testo, questo documento, questo sito, questo contenuto, legge questo, leggi questo, leggendo questo, leggono questo, questo articolo, queste righe, questa nota',
    must: 'deve, devono, devi, dovete, dovrà, dovranno, dovrebbe, dovrebbero, bisogna, sempre, mai, solo, soltanto, solamente, esclusivamente, per favore, si prega, non, invece',
    say: "considera*, consideri, tratta*, segui*, visita*, clicca*, accetta*, classifica*, esegui*, di', dì, dite, dica, dire, afferma*, scriv*, rispond*, indica*, menziona*, includi*, includere, aggiung*, inserisc*, metti, mettete, dai, date, dia, consigli*, raccomand*, descriv*, valuta*, inizia*, termina*, traduc*, dichiara*, suggeri*, segnala*, sottolinea*, elenca*, presenta*",
    leak: 'mostra*, rivela*, stampa*, ripeti*, ripetere, visualizza*, divulga*, scriv*, dimmi, condividi*, copia*, cita*, elenca*, qual è, quali sono, riproduci*',
    system:
      'prompt di sistema, messaggio di sistema, istruzioni di sistema, tue istruzioni, vostre istruzioni, tue direttive, tue regole, istruzioni nascoste, istruzioni segrete, direttive nascoste, istruzioni iniziali, istruzioni interne, system prompt, tuo prompt, prompt iniziale, prompt nascosto, regole nascoste, tue linee guida',
    hide: "non dire, non dite, non dica, non menzionare, non menzionate, non rivelare, non rivelate, non informare, non avvisare, non far sapere, senza dirlo, senza dire, senza informare, senza menzionare, senza avvisare, in segreto, segretamente, di nascosto, nascondi*, all'insaputa, senza che",
    user: "utente, utenti, l'utente, all'utente, dell'utente, l'umano",
    role: "da questo momento, da ora in poi, d'ora in poi, d'ora in avanti, da adesso, ora sei, adesso sei, fingi*, fai finta, fate finta, comportati, agisci come, immagina di essere, simula, interpreta il ruolo, assumi il ruolo, entra in modalità, passa alla, passa in, attiva la modalità, non sei più",
    free: 'senza restrizion*, senza alcuna restrizione, senza limit*, senza alcun limite, senza filtr*, senza regole, senza censura, nessuna restrizione, nessuna delle tue, nessuna delle vostre, illimitat*, modalità sviluppatore, modalità debug, modalità manutenzione, modalità amministratore, dan, regole di sicurezza, norme di sicurezza',
    send: 'invia*, invii, inoltra*, manda*, trasmett*, carica*, pubblica*, posta, aggiung*, allega*, accoda*, spedisc*, esfiltra*',
    history:
      "cronologia della conversazione, cronologia della chat, cronologia di questa conversazione, cronologia chat, intera conversazione, tutta la conversazione, questa conversazione, messaggi dell'utente, messaggi precedenti, password dell'utente, dati dell'utente, email dell'utente, chiavi api, chiave api, variabili d'ambiente, credenziali dell'utente",
    data: 'messaggi, email, e-mail, posta in arrivo, password, credenziali, contatti, file, chiavi, token, cookie, carta di credito',
    yourTool:
      'tuo strumento, tuoi strumenti, vostri strumenti, tuo browser, tua funzione, tue funzioni, tua posta, chiamata di funzione, chiamata allo strumento, tuo terminale',
    tool: 'chiama la funzione, chiamate la funzione, invoca*, esegui*, usa lo strumento, utilizza lo strumento, chiama*, elimina*, cancella*, clicca, apri',
    noAsking:
      'senza chiedere, senza conferma, senza confermare, senza autorizzazione, senza permesso, senza richiedere, non chiedere',
    praise: 'consigli*, raccomand*, preferi*, privilegi*, valuta*, metti, mettete, scegli*, promuov*, suggeri*, elogi*',
    only: "unico, unica, l'unico, l'unica, soltanto, solo, miglior*, prim*, al primo posto, nostro, nostra, nostri, non sono sicuri, positiv*, esclusivamente, massimo",
    answer:
      'tua risposta, vostra risposta, tuo riassunto, tuo output, tue risposte, tua prossima risposta, sua risposta, tua sintesi',
    fresh:
      'nuove istruzioni, nuova istruzione, nuove direttive, nuove regole, nuovi ordini, istruzioni aggiornate, nuovo prompt, nuovo compito, vere istruzioni, istruzioni reali, istruzioni nascoste, nuove indicazioni',
    ask: 'domanda, domande, richiesta, input',
    report:
      'aggressor*, attaccant*, attacc*, injection*, iniezion*, jailbreak*, hacker*, malevol*, dannos*, per esempio, ad esempio, esempi*, come, ricercator*, potrebbe, può, possono, nascost*, contien*, contenent*, ingann*, per, vulnerab*, del tipo, frasi',
  },
  ro: {
    ignore:
      'ignoră, ignorați, ignora, uită, uitați, uita, nu lua în seamă, nu luați în seamă, nu ține cont, nu țineți cont, nu lua în considerare, sari peste, săriți peste, lasă deoparte, neglijează, nu mai urma, nu mai sunt valabile, nu respecta, trece peste',
    prior:
      'toate, toți, anterioare, anterior, anterioară, precedente, de până acum, până acum, până aici, de mai sus, inițiale, originale, tale, tăi, voastre, dumneavoastră, toate celelalte, primite, date, sistem, existente',
    order:
      'instrucțiuni*, indicații*, indicațiile, directive*, directivele, reguli, regulile, ordine, ordinele, prompt*, comenzi*, comenzile, restricții*, ce ți s-a spus, constrângeri*',
    model:
      'ai, ia, inteligență artificială, inteligența artificială, model de limbaj, modele de limbaj, modelele de limbaj, modelul de limbaj, model lingvistic, chatbot*, agent ai',
    helper:
      'asistent, asistenți, asistenții, asistentul, asistentului, recenzori automați, recenzor automat, sisteme automate',
    call: 'atenție, notă pentru, mesaj pentru, mesaj către, către orice, către toate, către toți, pentru orice, pentru toate, pentru toți, important pentru, instrucțiune pentru, instrucțiuni pentru, instrucțiuni noi pentru, salut, bună, dragă, dacă ești, dacă sunteți, ești un, ești o, ca agent, ca model, în calitate de',
    read: 'această pagină, acest text, acest document, acest site, acest conținut, citește acest, citești acest, citește asta, citind, acest articol, aceste rânduri, această notă',
    must: 'trebuie, să, ar trebui, întotdeauna, mereu, niciodată, doar, numai, te rog, vă rugăm, nu, obligatoriu, în schimb',
    say: 'consideră*, tratează*, vizitează*, urmează, marchează*, scrie*, scrieți, spune*, spuneți, răspunde*, afirmă*, menționează*, include*, adaugă*, inserează, pune, puneți, dă, dați, acordă*, acordați, recomand*, recomande, descrie*, evaluează, începe, termină, traduce*, declară, sugerează*, prezintă, subliniază',
    leak: 'afișează*, afișați, arată*, dezvăluie*, repetă*, tipărește, scrie*, spune-mi, divulgă, copiază, citează, listează, care este, care sunt, redă',
    system:
      'promptului tău de sistem, promptul tău de sistem, promptul de sistem, prompt de sistem, promptul sistemului, mesajul de sistem, instrucțiunile de sistem, instrucțiunile tale, regulile tale, regulile ascunse, directivele tale, instrucțiunile ascunse, instrucțiunile secrete, instrucțiunile inițiale, instrucțiunile interne, system prompt, promptul tău, indicațiile tale',
    hide: 'nu-i spune, nu îi spune, nu spune, nu spuneți, nu menționa, nu dezvălui, nu informa, nu anunța, fără să spui, fără a spune, fără să menționezi, fără a informa, în secret, pe ascuns, ascunde, fără ca',
    user: 'utilizator*, utilizatorului, omul',
    role: 'de acum înainte, de acum încolo, începând de acum, din acest moment, acum ești, ești acum, prefă-te, prefăceți-vă, comportă-te, acționează ca, imaginează-ți că, joacă rolul, asumă-ți rolul, intră în modul, treci în modul, simulează, nu mai ești',
    free: 'fără restricți*, fără nicio restricție, fără limit*, fără nicio limită, fără filtr*, fără reguli, fără cenzură, nicio restricție, nicio regulă, nelimitat*, necenzurat*, modul dezvoltator, mod dezvoltator, modul de depanare, modul administrator, dan, siguranță a ta, reguli de siguranță',
    send: 'trimite*, trimiteți, trimiți, redirecționează*, transmite*, încarcă*, publică*, postează, adaugă*, atașează*, expediază',
    history:
      'istoricul conversației, istoricul chatului, istoricul acestei conversații, întreaga conversație, toată conversația, această conversație, mesajele utilizatorului, mesaje ale utilizatorului, parola utilizatorului, datele utilizatorului, e-mailurile utilizatorului, cheile api, cheia api, variabilele de mediu',
    data: 'mesaje, mesajele, e-mail*, parol*, contacte*, fișiere*, chei*, token*, cookie*, inbox*, card*',
    yourTool:
      'instrumentul tău, instrumentele tale, unealta ta, uneltele tale, browserul tău, funcția ta, funcțiile tale, apel de funcție, apel de instrument, terminalul tău',
    tool: 'apelează funcția, apelează*, invocă*, execută*, rulează*, folosește instrumentul, șterge*, apasă, deschide',
    noAsking:
      'fără să ceri, fără a cere, fără confirmare, fără să întrebi, fără permisiune, fără aprobare, nu cere confirmare',
    praise: 'recomand*, recomande, preferă, prefere, evaluează, pune, plasează, alege, promovează, sugereze, laudă',
    only: 'singura, singurul, doar, numai, cea mai bună, cel mai bun, prima, primul, pe primul loc, noastră, nostru, noastre, nesigur*, pozitiv*, exclusiv, maximă',
    answer: 'răspunsul tău, rezumatul tău, răspunsului tău, ieșirea ta, răspunsurile tale, raportul tău',
    fresh:
      'instrucțiuni noi, noi instrucțiuni, noile instrucțiuni, reguli noi, directive noi, instrucțiuni actualizate, prompt nou, sarcină nouă, instrucțiunile reale, instrucțiuni ascunse, indicații noi',
    ask: 'întrebarea, întrebare, întrebările, cererea, solicitarea',
    report:
      'atacator*, atac*, injecți*, injection*, jailbreak*, hacker*, malițios*, rău intenționat*, de exemplu, exempl*, precum, cum ar fi, cercetător*, ar putea, poate, pot, ascuns*, conțin*, păcăl*, pentru a, vulnerab*',
  },
}
