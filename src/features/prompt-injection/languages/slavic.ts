import type { LanguageWords } from './words.js'

/** Polish, Czech, Russian, Ukrainian and Bulgarian. */
export const slavic: Readonly<Record<string, LanguageWords>> = {
  pl: {
    before: 'wszystko powyżej, cały powyższy',
    ignore:
      'zignoruj*, ignoruj*, ignorować, zapomnij*, zapomnieć, pomiń*, pomijaj*, nie zważaj, nie bierz pod uwagę, odrzuć*, lekceważ*, zlekceważ*, nie stosuj się, nie przestrzegaj, już nie obowiązują, obejdź, nie zwracaj uwagi',
    prior:
      'wszystki*, poprzedni*, wcześniejsz*, dotychczasow*, powyższ*, pierwotn*, początkow*, twoje, swoje, swoich, twoich, wszystkie inne, systemow*, otrzyman*, wcześniej, do tej pory, istniejąc*',
    order:
      'instrukcj*, poleceni*, poleceń, wskazówk*, wytyczn*, zasad*, reguł*, rozkaz*, prompt*, dyrektyw*, nakaz*, ogranicze*, komend*, wszystko, co ci',
    model:
      'ai, si, sztuczna inteligencja, sztucznej inteligencji, model językowy, modelem językowym, modeli językowych, modelu językowego, modele językowe, modelom językowym, chatbot*, czatbot*, agent ai, agentem ai',
    helper: 'asystent*, automatyczni recenzenci, zautomatyzowan*',
    call: 'uwaga, wiadomość dla, wiadomość do, notatka dla, do wszystkich, do każdego, do każdej, dla wszystkich, dla każdego, ważne dla, instrukcja dla, instrukcje dla, polecenie dla, cześć, hej, witaj, drogi, droga, drodzy, jeśli jesteś, jeżeli jesteś, jesteś, jako agent, jako model, jako ai',
    read: 'tę stronę, tej strony, ten tekst, tego tekstu, ten dokument, tego dokumentu, tę witrynę, tej witryny, tę treść, to czyta*, to czytasz, tę notatkę, czyta to, czytasz to, czytając',
    must: 'musi, muszą, musisz, powinien, powinny, powinni, powinieneś, należy, zawsze, nigdy, tylko, wyłącznie, proszę, nie, koniecznie, zamiast',
    say: 'uważaj*, traktuj*, uznaj*, odwiedź*, kliknij*, zaakceptuj*, oznacz*, postępuj, napisz*, odpowiedz*, powiedz*, podaj*, wspomnij*, dodaj*, dołącz*, umieść*, wstaw*, stwierdź*, oceń*, ocenić, poleć*, polecaj*, opisz*, zacznij*, zakończ*, przetłumacz*, wymień*, zaproponuj, podkreśl*, przedstaw*',
    leak: 'wyświetl*, pokaż*, ujawnij*, powtórz*, wypisz*, zdradź*, podaj*, wydrukuj*, skopiuj*, zacytuj*, jaki jest, jakie są, udostępnij, wyjaw*',
    system:
      'promptu systemow*, prompt systemow*, promptem systemow*, komunikat systemow*, instrukcje systemow*, instrukcji systemow*, swoje instrukcje, twoje instrukcje, swoich instrukcji, swoje ukryte, ukryte wytyczne, ukryte instrukcje, tajne instrukcje, początkowe instrukcje, swoje wytyczne, swoje zasady, system prompt, swój prompt, twój prompt, wewnętrzne instrukcje',
    hide: 'nie mów*, nie wspominaj*, nie informuj*, nie ujawniaj*, nie zdradzaj*, nie powiadamiaj*, bez mówienia, nie mówiąc, bez informowania, bez wiedzy, w tajemnicy, potajemnie, ukryj*, zataj*',
    user: 'użytkowni*, człowiek*',
    role: 'od teraz, od tej pory, od tej chwili, odtąd, jesteś teraz, teraz jesteś, udawaj, zachowuj się, działaj jako, wyobraź sobie, wciel się, odgrywaj rolę, przełącz się, przejdź w tryb, nie jesteś już, przyjmij rolę',
    free: 'bez ogranicze*, bez żadnych ogranicze*, bez zasad, bez filtr*, bez limit*, bez cenzury, żadnych ogranicze*, żadna z twoich, nieograniczon*, trybie programisty, tryb programisty, tryb deweloper*, trybie deweloper*, tryb debugowania, trybie administratora, dan, zasad bezpieczeństwa',
    send: 'wyślij*, wysyłaj*, prześlij*, przesłać, przekaż*, przekieruj*, załaduj*, wczytaj*, opublikuj*, dołącz*, dodaj*, wgraj*',
    history:
      'histori* rozmowy, historię czatu, historię konwersacji, całą rozmowę, tę rozmowę, tej rozmowy, całej rozmowy, wiadomości użytkownika, hasło użytkownika, hasła użytkownika, dane użytkownika, klucze api, klucz api, zmienne środowiskowe',
    data: 'wiadomości, e-maile, maile, skrzynk*, hasł*, dane logowania, kontakt*, plik*, klucz*, token*, ciasteczk*, kart*',
    yourTool:
      'swojego narzędzia, swoich narzędzi, twojego narzędzia, swoje narzędzi*, swojej przeglądarki, swojej funkcji, wywołani* narzędzi*, wywołani* funkcji, swojego terminala',
    tool: 'wywołaj*, wywołać, uruchom*, wykonaj*, użyj narzędzia, użyj funkcji, usuń, kliknij, otwórz',
    noAsking: 'bez pytania, bez potwierdzenia, bez proszenia, bez zgody, bez zezwolenia, nie pytaj, nie pytając',
    praise: 'polec*, rekomend*, zalec*, preferuj*, oceń*, ocenić, wybier*, promuj*, podaj*, chwal*',
    only: 'jedyn*, tylko, najlepsz*, pierwsz*, wyłącznie, nasz*, naszą, niebezpieczn*, pozytywn*, najwyższ*',
    answer:
      'swojej odpowiedzi, twojej odpowiedzi, swoje streszczeni*, twoja odpowiedź, swoją odpowiedź, swoim podsumowani*, swoim raporcie',
    fresh:
      'nowe instrukcje, nowa instrukcja, nowe polecenia, nowe wytyczne, nowe zasady, zaktualizowane instrukcje, nowy prompt, nowe zadanie, prawdziwe instrukcje, ukryte instrukcje',
    ask: 'pytani*, prośb*, zapytani*, żądani*',
    report:
      'atakując*, atak*, wstrzyk*, injection*, jailbreak*, haker*, złośliw*, na przykład, np, przykład*, takie jak, badacz*, może, mogą, mógł*, ukryt*, zawiera*, oszuk*, aby, podatnoś*',
  },
  cs: {
    before: 'vše výše, všechno předchozí, vše předchozí',
    ignore:
      'ignoruj*, ignorovat, zapomeň*, zapomenout, nedbej*, neber v úvahu, neberte v úvahu, neber ohled, pomiň*, přeskoč*, vynech*, zanedbej*, nehleď, už neplatí, neřiď se, obejdi',
    prior:
      'všechn*, předchozí*, předešl*, dosavadní*, dřívější*, výše uveden*, původní*, počáteční*, tvé, své, svých, tvých, vaše, všechny ostatní, systémov*, doposud, dosud, předtím, existující*',
    order:
      'pokyn*, instrukc*, příkaz*, pravidla, pravidel, směrnic*, prompt*, zásad*, nařízení, omezení, výzv*, co ti bylo řečeno',
    model:
      'ai, ui, umělá inteligence, umělou inteligencí, umělé inteligence, jazykový model, jazykové modely, jazykovým modelem, jazykovým modelům, jazykového modelu, chatbot*, agent ai',
    helper: 'asistent*, automatičtí recenzenti, automatizovan*',
    call: 'pozor, upozornění pro, zpráva pro, poznámka pro, všem, každému, pro všechny, pro každého, důležité pro, pokyn pro, pokyny pro, instrukce pro, ahoj, milý, milí, vážený, pokud jsi, jestli jsi, jsi-li, jsi, jako agent, jako model, jako ai',
    read: 'tuto stránku, této stránky, tento text, tohoto textu, tento dokument, tohoto dokumentu, tento web, tento obsah, toto čte, toto čteš, tohle čte, tohle čteš, to čteš, tyto řádky, tuto poznámku',
    must: 'musí, musíš, měl by, měli by, měla by, mají, máš, vždy, vždycky, nikdy, pouze, jen, prosím, ne, nutně, místo toho, ať',
    say: 'považuj*, navštiv*, klikni*, přijmi*, označ*, postupuj*, následuj, napiš*, odpověz*, řekni*, řekněte, uveď*, zmiň*, přidej*, vlož*, zahrň*, tvrď*, ohodno*, doporuč*, popiš*, začni*, ukonči*, přelož*, prohlas*, zdůrazni*, neuvádějte, navrhni',
    leak: 'vypiš*, zobraz*, ukaž*, odhal*, zopakuj*, prozraď*, vytiskni*, napiš*, sděl*, zkopíruj*, cituj*, jaký je, jaké jsou, vyzraď*',
    system:
      'systémového promptu, systémový prompt, systémové výzv*, systémové pokyny, systémových pokynů, systémové instrukce, své instrukce, tvé instrukce, své pokyny, své skryté, skryté pokyny, skryté směrnice, tajné pokyny, původní pokyny, svá pravidla, system prompt, svůj prompt, interní pokyny',
    hide: 'neříkej*, neřekni, nezmiňuj*, neinformuj*, neprozrazuj*, neupozorňuj*, nesděluj*, aniž bys, aniž by, bez vědomí, tajně, potají, v tajnosti, skryj*, zatajuj',
    user: 'uživatel*, člověk*',
    role: 'od této chvíle, od teď, odteď, od nynějška, nyní jsi, teď jsi, předstírej*, chovej se, jednej jako, představ si, hraj roli, vžij se, přepni, přejdi do režimu, už nejsi, převezmi roli',
    free: 'bez omezení, bez jakýchkoli omezení, bez jakýchkoliv omezení, bez pravidel, bez filtr*, bez limit*, bez cenzury, žádná omezení, žádné omezení, žádné z tvých, neomezen*, vývojářském režimu, vývojářský režim, režimu vývojáře, režim vývojáře, ladicím režimu, režimu údržby, dan, bezpečnostních pravidel',
    send: 'odešli*, pošli*, poslat, přepošli*, přeposlat, nahraj*, připoj*, přilož*, načti*, zveřejni*, předej*, přidej*',
    history:
      'historii konverzace, historii chatu, historii rozhovoru, celou konverzaci, tuto konverzaci, této konverzace, celý rozhovor, zprávy uživatele, heslo uživatele, hesla uživatele, údaje uživatele, data uživatele, api klíč*, klíče api, proměnné prostředí',
    data: 'zprávy, e-maily, maily, doručen*, hesl*, přihlašovací údaje, kontakt*, soubor*, klíč*, token*, cookies, kart*',
    yourTool:
      'svůj e-mailový nástroj, svůj nástroj, své nástroje, tvůj nástroj, svého nástroje, svůj prohlížeč, svou funkci, volání nástroje, volání funkce, svůj terminál, svůj mailový',
    tool: 'zavolej*, vyvolej*, spusť*, proveď*, použij nástroj, použij funkci, smaž, klikni, otevři',
    noAsking: 'bez ptaní, bez potvrzení, bez žádosti, bez souhlasu, bez povolení, neptej se, aniž by ses ptal',
    praise: 'doporuč*, preferuj*, upřednostn*, ohodno*, vyber*, propaguj*, uveď*, chval*, navrh*',
    only: 'jedin*, pouze, jen, nejlepší*, první*, na prvním místě, výhradně, naš*, náš, není bezpečn*, kladně, pozitivn*, nejvyšší*',
    answer: 'své odpovědi, svou odpověď, tvé odpovědi, svém shrnutí, svůj výstup, svém výstupu, své zprávě',
    fresh:
      'nové instrukce, nové pokyny, nový pokyn, nová pravidla, nové směrnice, aktualizované pokyny, aktualizované instrukce, nový prompt, nový úkol, skutečné pokyny, skryté pokyny',
    ask: 'otázk*, dotaz*, požadav*, žádost*',
    report:
      'útočník*, útok*, injection*, injektáž*, jailbreak*, hacker*, škodliv*, například, např, příklad*, jako, výzkumní*, může, mohou, mohl*, skryt*, obsahuj*, oklam*, aby, zranitelnost*',
  },
  ru: {
    before: 'всё выше, все выше, всё вышесказанное, всё предыдущее, все предыдущее',
    ignore:
      'игнорируй*, проигнорируй*, игнорировать, забудь*, забыть, не обращай*, не принимай*, не учитывай*, пренебреги*, отбрось*, отмени*, пропусти*, пропускай*, больше не действуют, не следуй, не выполняй, обойди',
    prior:
      'все, всех, предыдущ*, прежн*, ранее, прошл*, предшествующ*, выше, вышеуказанн*, вышестоящ*, первоначальн*, изначальн*, исходн*, свои, твои, ваши, своих, все остальные, системн*, полученн*, до этого, до сих пор, существующ*, данн*',
    order:
      'инструкци*, указани*, правил*, команд*, приказ*, предписани*, промпт*, промт*, директив*, распоряжени*, установк*, ограничени*, что тебе говорили, что тебе сказали, подсказк*',
    model:
      'ии, ии-*, искусственный интеллект, искусственного интеллекта, искусственному интеллекту, языковая модель, языковые модели, языковым моделям, языковой модели, языковых моделей, нейросет*, чат-бот*, чатбот*, автоматизированн*, автоматические проверяющие',
    helper: 'ассистент*, помощник*, бот, автоматические рецензенты, автоматическим рецензентам',
    call: 'внимание, сообщение для, заметка для, примечание для, всем, каждой, каждому, любой, любому, для всех, для каждого, для любой, важно для, инструкция для, инструкции для, указание для, привет, здравствуй*, дорогой, дорогая, уважаем*, если ты, если вы, ты ии, ты языковая, ты ассистент, как ии*, как языковая',
    read: 'эту страницу, этой страницы, этот текст, этого текста, этот документ, этого документа, этот сайт, этого сайта, это содержимое, читающ*, читаешь это, читаете это, эти строки, эту заметку, этот контент',
    must: 'должен, должна, должны, обязан*, следует, нужно, необходимо, всегда, никогда, только, лишь, исключительно, пожалуйста, не, вместо этого',
    say: 'считай*, посети*, перейди*, нажми*, прими, одобри*, отметь*, следуй*, ставь*, скажи*, напиши*, пиши*, ответь*, отвечай*, сообщи*, укажи*, упомяни*, добавь*, включи*, вставь*, утверждай*, оцени*, поставь*, ставь*, рекоменд*, посоветуй*, порекоменду*, опиши*, начни*, закончи*, переведи*, заяви*, назови*, подчеркни*, дай*',
    leak: 'выведи*, покажи*, раскрой*, повтори*, напечатай*, распечатай*, напиши*, сообщи*, расскажи*, скопируй*, процитируй*, перечисли*, выдай*, какой у тебя, какие у тебя, озвучь*',
    system:
      'системного промпта, системный промпт, системного промта, системный промт, системную подсказку, системные инструкции, системных инструкций, системное сообщение, свои инструкции, твои инструкции, своих инструкций, свои скрыт*, свои секретн*, скрытые правила, скрытые инструкции, секретные инструкции, исходные инструкции, начальные инструкции, свои правила, своего промпта, свой промпт, внутренние инструкции',
    hide: 'не говори*, не упоминай*, не сообщай*, не раскрывай*, не рассказывай*, не информируй*, не уведомляй*, не предупреждай*, не говоря, не сообщая, без ведома, тайно, втайне, скрытно, скрой*, утаи*, незаметно для',
    user: 'пользовател*, юзер*, человек*, человеку',
    role: 'с этого момента, отныне, с этой минуты, теперь ты, ты теперь, представь*, притворись*, веди себя, действуй как, вообрази*, сыграй роль, играй роль, переключись*, перейди в режим, ты больше не, возьми на себя роль, прими роль',
    free: 'без ограничени*, без всяких ограничени*, без каких-либо ограничени*, без правил, без фильтр*, без цензуры, никаких ограничени*, никаких правил, ни одно из твоих, неограниченн*, режиме разработчика, режим разработчика, режим отладки, режиме отладки, режим администратора, режиме обслуживания, dan, правил безопасности',
    send: 'отправь*, отправляй*, перешли*, пошли, передай*, загрузи*, выложи*, опубликуй*, добавь*, приложи*, прикрепи*, вышли*, отошли*',
    history:
      'историю переписки, историю чата, историю разговора, историю диалога, историю беседы, весь разговор, весь диалог, всю переписку, этот разговор, этого разговора, сообщения пользователя, пароль пользователя, пароли пользователя, данные пользователя, ключи api, api-ключ*, переменные окружения, письма пользователя',
    data: 'сообщени*, письма, почт*, парол*, учётные данные, учетные данные, контакт*, файл*, ключи, токен*, куки, карт*',
    yourTool:
      'свой почтовый инструмент, свой инструмент, свои инструменты, твой инструмент, своим инструментом, свой браузер, свою функцию, вызов инструмента, вызов функции, своего инструмента, свой терминал',
    tool: 'вызови*, вызвать функцию, запусти*, выполни команду, выполни функцию, используй инструмент, используй функцию, исполни*, удали*, нажми*, открой*',
    noAsking:
      'без запроса, без подтверждения, без спроса, не спрашивая, без разрешения, без согласия, не запрашивай*, не спрашивай*',
    praise:
      'рекоменд*, порекоменду*, посоветуй*, советовать, предпочит*, предпочесть, ставь*, поставь*, оцени*, выбирай*, хвали*, продвига*, называть',
    only: 'единственн*, только, лучш*, перв*, на первое место, исключительно, наш*, опасн*, положительн*, высш*, наивысш*',
    answer:
      'своём ответе, своем ответе, твоём ответе, твоем ответе, свой ответ, твой ответ, в ответ, своего ответа, своё резюме, свое резюме, своём отчёте',
    fresh:
      'новые инструкции, новая инструкция, новые указания, новые правила, обновлённые инструкции, обновленные инструкции, новый промпт, новая задача, настоящие инструкции, скрытые инструкции, новые команды',
    ask: 'вопрос*, запрос*, просьб*, ввод',
    report:
      'злоумышленник*, атак*, инъекц*, injection*, джейлбрейк*, jailbreak*, хакер*, вредонос*, например, пример*, такие как, вроде, исследовател*, может, могут, мог, скрыт*, содерж*, обман*, чтобы, уязвим*, фраз*',
  },
  uk: {
    before: 'усе вище, все вище, усе попереднє',
    ignore:
      'ігноруй*, проігноруй*, ігнорувати, забудь*, забути, не зважай*, не звертай*, не бери до уваги, не враховуй*, відкинь*, знехтуй*, пропусти*, більше не діють, не виконуй, скасуй*, обійди',
    prior:
      'усі, всі, усіх, попередн*, колишн*, раніше, минул*, вище, вищезазначен*, початков*, первісн*, свої, твої, ваші, своїх, усі інші, всі інші, системн*, отриман*, досі, дотепер, до цього, наявн*',
    order:
      'інструкці*, вказівк*, вказівок, правил*, команд*, наказ*, настанов*, промпт*, директив*, розпорядженн*, обмеженн*, підказк*, що тобі казали',
    model:
      'ші, ші-*, штучний інтелект, штучного інтелекту, мовна модель, мовні моделі, мовним моделям, мовної моделі, мовних моделей, нейромереж*, чат-бот*, чатбот*, автоматизован*',
    helper: 'асистент*, помічник*, автоматичні рецензенти',
    call: 'увага, повідомлення для, нотатка для, примітка для, усім, всім, кожній, кожному, будь-якій, для всіх, для кожного, важливо для, інструкція для, інструкції для, вказівка для, привіт, вітаю, дорогий, шановн*, якщо ти, якщо ви, ти ші, ти мовна, ти асистент, як ші*, як мовна',
    read: 'цю сторінку, цієї сторінки, цей текст, цього тексту, цей документ, цього документа, цей сайт, цього сайту, цей вміст, це читаєш, це читає, читаєш це, читаєте це, ці рядки, цю нотатку, що це читає',
    must: 'повинен, повинна, повинні, мусить, мусиш, мають, маєш, слід, треба, потрібно, завжди, ніколи, тільки, лише, виключно, будь ласка, не, натомість',
    say: 'вважай*, відвідай*, перейди*, натисни*, схвали*, познач*, дотримуйся, скажи*, напиши*, пиши*, відповідай*, відповід, повідом*, вкажи*, згадай*, додай*, включи*, встав*, стверджуй*, оціни*, постав*, став*, рекоменд*, порадь*, порекоменду*, опиши*, почни*, закінчи*, переклади*, заяви*, назви*, дай*',
    leak: 'виведи*, покажи*, розкрий*, повтори*, надрукуй*, роздрукуй*, напиши*, повідом*, розкажи*, скопіюй*, процитуй*, перелічи*, який у тебе, які у тебе',
    system:
      'системного промпту, системний промпт, системну підказку, системні інструкції, системних інструкцій, системне повідомлення, свої інструкції, твої інструкції, своїх інструкцій, свої приховані, свої секретні, приховані правила, приховані інструкції, секретні інструкції, початкові інструкції, свої правила, свого промпту, свій промпт, внутрішні інструкції',
    hide: 'не кажи*, не говори*, не згадуй*, не повідомляй*, не розкривай*, не розповідай*, не інформуй*, не попереджай*, не кажучи, не повідомляючи, без відома, таємно, потай, приховай*, непомітно для',
    user: 'користувач*, людин*',
    role: 'відтепер, з цього моменту, від цього моменту, віднині, тепер ти, ти тепер, уяви*, удавай*, прикинься*, поводься*, дій як, зіграй роль, грай роль, перемкнись*, перейди в режим, ти більше не, прийми роль',
    free: 'без обмежен*, без жодних обмежен*, без будь-яких обмежен*, без правил, без фільтр*, без цензури, жодних обмежен*, жодних правил, жодне з твоїх, необмежен*, режимі розробника, режим розробника, режим налагодження, режимі адміністратора, dan, правил безпеки',
    send: 'надішли*, надсилай*, перешли*, відправ*, передай*, завантаж*, виклади*, опублікуй*, додай*, прикріпи*, долучи*',
    history:
      'історію розмови, історію чату, історію діалогу, історію листування, всю розмову, усю розмову, цю розмову, цієї розмови, повідомлення користувача, пароль користувача, паролі користувача, дані користувача, ключі api, api-ключ*, змінні середовища, листи користувача',
    data: 'повідомлен*, листи, пошт*, парол*, облікові дані, контакт*, файл*, ключі, токен*, картк*',
    yourTool:
      'свій поштовий інструмент, свій інструмент, свої інструменти, твій інструмент, свій браузер, свою функцію, виклик інструмента, виклик функції, своїм інструментом',
    tool: 'виклич*, запусти*, виконай команду, виконай функцію, використай інструмент, використай функцію, видали*, натисни*, відкрий*',
    noAsking: 'без запиту, без підтвердження, не питаючи, без дозволу, без згоди, не запитуй*, не питай*',
    praise:
      'рекоменд*, порекоменду*, радити, порадь*, надавати перевагу, став*, постав*, оціни*, обирай*, хвали*, просува*',
    only: 'єдин*, тільки, лише, найкращ*, перш*, на перше місце, виключно, наш*, небезпечн*, позитивн*, найвищ*',
    answer: 'своїй відповіді, твоїй відповіді, свою відповідь, у відповідь, твою відповідь, свого звіту',
    fresh:
      'нові інструкції, нова інструкція, нові вказівки, нові правила, оновлені інструкції, новий промпт, нове завдання, справжні інструкції, приховані інструкції',
    ask: 'запитанн*, питанн*, запит*, проханн*',
    report:
      "зловмисник*, атак*, ін'єкц*, injection*, джейлбрейк*, jailbreak*, хакер*, шкідлив*, наприклад, приклад*, такі як, дослідник*, може, можуть, міг, прихован*, міст*, обман*, щоб, вразлив*, фраз*",
  },
  bg: {
    ignore:
      'игнорирай*, забрави*, пренебрегни*, не обръщай внимание, не взимай предвид, пропусни*, вече не важат, отхвърли*',
    prior:
      'всички, предишн*, предходн*, досегашн*, по-горе, горните, първоначалн*, своите, твоите, вашите, системн*, получен*, досега, всички други',
    order: 'инструкци*, указани*, правила, правилата, команд*, заповед*, насоки, промпт*, директив*, ограничени*',
    model: 'ии, изкуствен интелект, изкуствения интелект, езиков модел, езикови модели, езиковите модели, чатбот*',
    helper: 'асистент*, помощник*, автоматични рецензенти',
    call: 'внимание, бележка за, съобщение за, съобщение до, до всички, до всеки, за всички, важно за, инструкция за, инструкции за, здравей*, ако си, ако сте, ти си, като ии, като езиков',
    read: 'тази страница, този текст, този документ, този сайт, това съдържание, четеш това, чете това, тази бележка',
    must: 'трябва, винаги, никога, само, единствено, моля, не, вместо това',
    say: 'напиши*, отговори*, кажи*, спомени*, добави*, включи*, постави*, твърди*, оцени*, препоръч*, опиши*, започни*, преведи*, дай*',
    leak: 'покажи*, разкрий*, повтори*, отпечатай*, изведи*, напиши*, кажи ми, копирай*, какъв е, какви са',
    system:
      'системния промпт, системен промпт, системната подкана, системните инструкции, своите инструкции, твоите инструкции, скритите инструкции, скритите правила, тайните инструкции, първоначалните инструкции, system prompt',
    hide: 'не казвай*, не споменавай*, не разкривай*, не уведомявай*, без да казваш, без знанието, тайно, скрий*',
    user: 'потребител*, човека',
    role: 'отсега нататък, от сега нататък, от този момент, вече си, сега си, преструвай се, дръж се като, представи си, влез в ролята, премини в режим',
    free: 'без ограничени*, без никакви ограничени*, без правила, без филтри, без цензура, никакви ограничени*, неограничен*, режим на разработчик, dan, правила за безопасност',
    send: 'изпрати*, препрати*, качи*, прикачи*, добави*, публикувай*, зареди*',
    history:
      'историята на разговора, историята на чата, целия разговор, този разговор, съобщенията на потребителя, паролата на потребителя, данните на потребителя, api ключ*',
    data: 'съобщени*, имейл*, парол*, контакт*, файл*, ключ*',
    yourTool:
      'своя инструмент, своите инструменти, твоя инструмент, извикване на функция, имейл инструмента си, инструмента си',
    tool: 'извикай*, изпълни*, стартирай*, използвай инструмента, изтрий*',
    noAsking: 'без да питаш, без потвърждение, без да искаш, без разрешение',
    praise: 'препоръч*, предпочит*, оцени*, постави*, избери*',
    only: 'единствен*, само, най-добр*, първ*, наш*, опасн*, положителн*',
    answer: 'отговора си, своя отговор, твоя отговор, резюмето си',
    fresh:
      'нови инструкции, нова инструкция, нови указания, нови правила, обновени инструкции, нова задача, скрити инструкции',
    ask: 'въпрос*, заявк*, молб*',
    report:
      'атакуващ*, атак*, инжект*, injection*, хакер*, злонамерен*, например, пример*, като, изследовател*, може, могат, скрит*, съдърж*',
  },
}
