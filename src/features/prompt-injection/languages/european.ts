import type { LanguageWords } from './words.js'

/** Finnish, Hungarian, Greek and Turkish. */
export const european: Readonly<Record<string, LanguageWords>> = {
  fi: {
    addressed:
      'tekoälyagenttina, agenttina, kielimallina, tekoälynä, avustajana, kielimallille, kielimalleille, tekoälylle, tekoälyille, avustajalle, avustajille, automaattiset arvioijat',
    ignore:
      'unohda*, ohita*, jätä * huomiotta, huomiotta, huomioimatta, älä välitä, älä noudata, sivuuta*, hylkää*, eivät enää päde, eivät ole enää voimassa, älä huomioi, kierrä',
    prior:
      'kaikki, kaikkia, aiem*, aikaisem*, edellis*, edeltäv*, yllä*, tähän mennessä, tähän asti, alkuperäis*, sinun, omat, kaikki muut, järjestelmä*, saamasi, annetut, nykyiset',
    order:
      'ohje, ohjeet, ohjeita, ohjeesi, ohjeiden, ohjetta, ohjeistu*, sääntö*, säännö*, määräyk*, kehot*, komento*, komennot, rajoituk*, käsky*, mitä sinulle',
    model: 'tekoäly*, kielimalli*, chatbot*, keskustelubot*, ai, ai-*',
    helper:
      'avustaja*, avustajalle, assistentti*, assistent*, automaattiset arvioijat, automaattiset vertaisarvioijat, automatisoidu*, bot*',
    call: 'huomio, huomautus, viesti, kaikille, jokaiselle, tärkeää, ohje * varten, ohjeet, ohjeita, hei, moi, hyvä, jos olet, olet, -agenttina, agenttina, tekoälynä, kielimallina',
    read: 'tätä sivua, tämän sivun, tätä tekstiä, tämän tekstin, tätä asiakirjaa, tätä sivustoa, tämän sivuston, tätä sisältöä, luet tätä, lukee tätä, lukevat tätä, tätä lukev*, tätä viestiä, tämän huomautuksen',
    must: 'täytyy, pitää, tulee, on pakko, aina, koskaan, vain, ainoastaan, ole hyvä, älä, älkää, sen sijaan, on suositeltava',
    say: 'pidä, käsittele*, vieraile*, napsauta*, hyväksy*, merkitse*, noudata*, kirjoita*, vastaa*, sano*, mainitse*, mainitkaa, lisää*, liitä*, sisällytä*, väitä*, arvioi*, anna*, antakaa, suosittel*, kuvaile*, aloita*, lopeta*, käännä*, ilmoita*, kerro*, nosta, tulosta*',
    leak: 'tulosta*, näytä*, paljasta*, toista*, kirjoita*, kerro*, jaa*, kopioi*, lainaa*, luettele*, mikä on, mitkä ovat',
    system:
      'järjestelmäkehot*, järjestelmäkehotteesi*, järjestelmäkehotte*, järjestelmäohje*, järjestelmävies*, piilotetut ohje*, piilotetut sään*, piilotettuja ohje*, salaiset ohje*, omat ohjeesi, alkuperäiset ohje*, sisäiset ohje*, ohjeesi, sääntösi, system prompt*',
    hide: 'älä kerro, älä mainitse, älä paljasta, älä ilmoita, älä sano, kertomatta, mainitsematta, ilmoittamatta, salaa, tietämättä, piilota, salassa',
    user: 'käyttäj*, ihmise*',
    role: 'tästä lähtien, tästä eteenpäin, tästä hetkestä, nyt olet, olet nyt, teeskentele*, esitä, kuvittele*, käyttäydy*, toimi kuin, ota rooli, siirry, vaihda',
    free: 'ilman rajoituk*, ilman mitään rajoituk*, ilman sääntö*, ilman suodat*, ei rajoituk*, rajoittamat*, sensuroimat*, kehittäjätil*, kehitystil*, virheenkorjaustil*, ylläpitotil*, mikään turvallisuus*, dan, turvallisuussään*, turvasään*',
    send: 'lähetä*, välitä*, edelleenlähetä*, lataa*, julkaise*, liitä*, lisää*, siirrä*',
    history:
      'keskusteluhistoria*, keskustelun histori*, koko keskustelu*, tämän keskustelun, tämä keskustelu, käyttäjän vies*, käyttäjän sala*, käyttäjän tiedo*, käyttäjän viimeis*, api-avai*, ympäristömuuttuj*',
    data: 'vies*, postilaatiko*, sähköpost*, salasan*, tunnuks*, yhteystie*, tiedosto*, avaim*, evästee*, luottokort*',
    yourTool:
      'sähköpostityökalu*, työkaluasi, työkalujasi, työkalullasi, selaintyökalu*, selaintasi, funktiotasi, työkalukutsu*, funktiokutsu*',
    tool: 'kutsu*, suorita*, käytä työkalua, aja, poista, napsauta, avaa',
    noAsking:
      'pyytämättä, kysymättä, ilman vahvistusta, ilman lupaa, ilman hyväksyntää, vahvistamatta, älä pyydä, älä kysy',
    praise: 'suosittel*, suosi*, arvioi*, mainitse*, mainitkaa, valitse*, kehu*, nosta, aseta',
    only: 'ainoa*, vain, paras*, parhaa*, ensimmäis*, yrity*, klinik*, vaaralli*, myöntei*, positiivi*, korkei*, meidän',
    answer: 'vastaukse*, vastauksesi, yhteenvetosi, tiivistelmäsi, raporttisi, tulosteesi',
    fresh:
      'uudet ohjeet, uusi ohje, uusia ohjeita, päivitetyt ohjeet, uudet säännöt, uusi järjestelmäkehote, uusi tehtävä, todelliset ohjeet, piilotetut ohjeet',
    ask: 'kysymy*, pyyntö*, pyynnö*, syöt*',
    report:
      'hyökkää*, hyökkäy*, injekti*, injection*, jailbreak*, hakker*, haital*, esimerkiksi, esimerk*, kuten, tutkija*, voi, voivat, voisi, piilot*, sisält*, huijat*, haavoittuv*',
  },
  hu: {
    addressed:
      'ügynökként, modellként, asszisztensként, nyelvi modellnek, nyelvi modelleknek, modell vagy, asszisztens vagy, asszisztensnek, asszisztenseknek, intelligenciának, intelligencia vagy, mi-ügynök*, automatikus bírálók',
    ignore:
      'felejtsd*, felejtse*, hagyd figyelmen kívül, hagyja figyelmen kívül, hagyjátok figyelmen kívül, figyelmen kívül hagy*, figyelmen kívül, mellőzd*, ne vedd figyelembe, ne vegye figyelembe, hagyd ki, hagyd ki őket, ugord át, ne törődj, már nem érvényes*, szegd meg, ne kövesd, ne tartsd be',
    prior:
      'minden, összes, korábbi*, előző*, eddigi*, fenti*, fent, eredeti*, kezdeti*, kapott*, minden más, rendszer*, eddig, addigi*, meglévő*',
    order:
      'utasítás*, útmutat*, szabály*, irányelv*, parancs*, prompt*, előírás*, korlátozás*, rendelkezés*, amit mondtak, instrukció*',
    model: 'mesterséges intelligenci*, nyelvi modell*, mi, mi-*, chatbot*, csevegőbot*, ai, ai-*, llm*',
    helper: 'asszisztens*, automatikus bírálók, automatizált*',
    call: 'figyelem, megjegyzés, üzenet, minden, az összes, fontos, utasítás az, utasítások az, utasítások, szia, helló, kedves, ha te, ha ön, ha nyelvi, ha mesterséges, ha egy, te egy, ügynökként, asszisztensként, modellként',
    read: 'ezt az oldalt, ezen az oldalon, ezt a szöveget, ezt a dokumentumot, ezt a webhelyet, ezt a tartalmat, ezt olvasod, ezt olvassa, ezt olvasó*, ezt a megjegyzést, az oldalt olvas*, ezt a cikket',
    must: 'kell, kellene, muszáj, mindig, soha, csak, kizárólag, kérlek, kérjük, ne, nem, köteles*, ehelyett',
    say: 'tekintsd*, kezeld*, látogasd*, kattints*, fogadd el, jelöld*, kövesd, írd*, írja*, válaszol*, mondd*, mondja*, említs*, említsd, illeszd*, add*, adj*, adja*, adjatok, állítsd*, értékeld*, ajánl*, tedd*, írj*, sorold, kezdd, fejezd, fordítsd, hangsúlyozd, tüntesd fel',
    leak: 'írd ki, írja ki, mutasd*, mutassa*, ismételd*, fedd fel*, áruld el*, add ki*, nyomtasd*, másold*, idézd*, sorold fel, mi a, mik a',
    system:
      'rendszerprompt*, rendszer prompt*, rendszerutasítás*, rendszerüzenet*, utasításaid*, utasításaidat, rejtett irányelv*, rejtett utasítás*, titkos utasítás*, rejtett szabály*, eredeti utasítás*, kezdeti utasítás*, irányelveid*, szabályaid*, belső utasítás*, system prompt*',
    hide: 'ne mondd*, ne említsd*, ne áruld*, ne tájékoztasd*, ne értesítsd*, ne közöld*, anélkül, hogy, titokban, titkold*, rejtsd*, tudta nélkül',
    user: 'felhasználó*, ember*',
    role: 'mostantól, ettől kezdve, innentől, mostantól te, tégy úgy, tegyél úgy, viselkedj, játszd, képzeld*, úgy csinálj, lépj, válts, többé nem vagy, vedd fel a szerep*',
    free: 'korlátozások nélkül*, korlátozás nélkül*, korlátok nélkül*, szabályok nélkül*, szűrők nélkül*, cenzúra nélkül*, nincs korlátozás*, nincsenek korlát*, korlátlan*, cenzúrázatlan*, fejlesztői mód*, hibakereső mód*, karbantartási mód*, egyik biztonsági*, dan, biztonsági szabály*',
    send: 'küldd*, küldj*, továbbítsd*, továbbíts*, töltsd*, tedd közzé*, fűzd*, csatold*, add át*, csatolj*',
    history:
      'beszélgetés előzmény*, beszélgetési előzmény*, csevegési előzmény*, teljes beszélgetés*, egész beszélgetés*, ezt a beszélgetést, e beszélgetés*, felhasználó üzenet*, felhasználó jelsz*, felhasználó adat*, felhasználó legutóbbi, api-kulcs*, környezeti változó*',
    data: 'üzenet*, levele*, e-mail*, jelsz*, hitelesítő*, névjegy*, fájl*, kulcs*, token*, süti*, bankkárt*',
    yourTool:
      'e-mail eszköz*, levelező eszköz*, eszközödet, eszközeidet, eszközöddel, böngésződ*, függvényed*, eszközhívás*, függvényhívás*',
    tool: 'hívd meg*, hívd*, futtasd*, hajtsd végre*, használd az eszközt, töröld, kattints, nyisd',
    noAsking:
      'megerősítés nélkül, megerősítés kérése nélkül, kérdezés nélkül, engedély nélkül, jóváhagyás nélkül, ne kérdezz, ne kérj',
    praise: 'ajánl*, javasol*, értékel*, tedd*, válassz*, részesíts*, népszerűsíts*, dicsér*',
    only: 'egyetlen*, csak, legjobb*, első*, kizárólag, cégünk*, klinik*, a mi, veszélyes*, pozitív*, legmagasabb*',
    answer: 'válaszod*, válaszodba, összefoglalód*, kimeneted*, jelentésed*',
    fresh:
      'új utasítás*, új szabály*, új irányelv*, frissített utasítás*, új rendszerprompt*, új feladat*, valódi utasítás*, rejtett utasítás*',
    ask: 'kérdés*, kérés*, bemenet*',
    report:
      'támadó*, támadás*, injekció*, injection*, jailbreak*, hacker*, rosszindulat*, például, pl, példa*, példá*, mint, kutató*, lehet, tud, rejtett*, tartalmaz*, megtéveszt*, sebezhető*',
  },
  el: {
    ignore:
      'αγνόησ*, αγνοήσ*, αγνόησε, αγνοείς, ξέχασε, ξεχάσ*, ξέχνα, μη λάβεις υπόψη, μη λάβετε υπόψη, παράβλεψ*, παραβλέψ*, παράλειψε*, παραλείψ*, μην ακολουθ*, δεν ισχύουν πια, δεν ισχύουν πλέον, απόρριψε, παράκαμψε',
    prior:
      'όλες, όλους, όλα, προηγούμεν*, παραπάνω, μέχρι τώρα, έως τώρα, ως τώρα, αρχικ*, προγενέστερ*, σου, σας, όλες τις άλλες, συστήματος, λάβει, πριν, υπάρχουσ*',
    order: 'οδηγί*, εντολ*, κανόν*, υποδείξ*, κατευθύνσ*, προτροπ*, prompt*, διαταγ*, περιορισμ*, ό,τι σου είπαν',
    model:
      'τεχνητή νοημοσύνη, τεχνητής νοημοσύνης, τν, γλωσσικό μοντέλο, γλωσσικά μοντέλα, γλωσσικού μοντέλου, γλωσσικών μοντέλων, chatbot*, αυτόματα συστήματα, ai',
    helper: 'μοντέλο, βοηθός, βοηθοί, βοηθό, βοηθούς, αυτόματοι κριτές',
    call: 'προσοχή, μήνυμα προς, σημείωση για, σημείωση προς, προς κάθε, προς όλα, προς όλους, για όλα, για κάθε, σημαντικό για, οδηγία για, οδηγίες για, γεια, γεια σου, αγαπητ*, αν είσαι, εάν είσαι, αν είστε, είσαι ένα, είσαι ένας, ως πράκτορας, ως μοντέλο, ως βοηθός',
    read: 'αυτή τη σελίδα, αυτήν τη σελίδα, αυτό το κείμενο, αυτού του κειμένου, αυτό το έγγραφο, αυτόν τον ιστότοπο, αυτό το περιεχόμενο, διαβάζεις αυτό, διαβάζει αυτό, αυτή τη σημείωση, αυτό το άρθρο',
    must: "πρέπει, οφείλ*, πάντα, πάντοτε, ποτέ, μόνο, αποκλειστικά, παρακαλώ, μην, μη, υποχρεωτικά, αντ' αυτού",
    say: 'θεώρησε, αντιμετώπισε, επισκέψου, κάνε κλικ, ακολούθησε, πες, πείτε, γράψε, γράψτε, απάντησε, απαντήστε, ανέφερε, αναφέρ*, πρόσθεσε, συμπεριλάβ*, συμπερίλαβε, βάλε, βάλτε, δώσε, δώστε, προτείν*, πρότεινε, περίγραψε, ξεκίνα, τελείωσε, μετάφρασε, δήλωσε, βαθμολόγ*, τόνισε, ισχυρίσου',
    leak: 'εμφάνισε, εμφανίστε, δείξε, δείξτε, αποκάλυψε, αποκαλύψτε, επανάλαβε, επαναλάβ*, εκτύπωσε, τύπωσε, γράψε, πες μου, αντίγραψε, παράθεσε, ποιο είναι, ποιες είναι',
    system:
      'προτροπής συστήματος, προτροπή συστήματος, προτροπής του συστήματος, προτροπή του συστήματος, μήνυμα συστήματος, οδηγίες συστήματος, οδηγίες του συστήματος, οδηγίες σου, κρυφές οδηγίες, μυστικές οδηγίες, κρυφούς κανόνες, αρχικές οδηγίες, κανόνες σου, εσωτερικές οδηγίες, system prompt*',
    hide: 'μην πεις, μην πείτε, μην αναφέρ*, μην αποκαλύψ*, μην ενημερώσ*, μη γνωστοποιήσ*, χωρίς να πεις, χωρίς να αναφέρεις, χωρίς να ενημερώσεις, κρυφά, μυστικά, απόκρυψε, κρύψε',
    user: 'χρήστη*, χρήστες, άνθρωπο*',
    role: 'από εδώ και στο εξής, από τώρα, από δω και πέρα, στο εξής, πλέον είσαι, τώρα είσαι, είσαι τώρα, προσποιήσου, κάνε πως, κάνε ότι, συμπεριφέρσου, φαντάσου, παίξε τον ρόλο, ανάλαβε τον ρόλο, μπες σε, δεν είσαι πια',
    free: 'χωρίς περιορισμ*, χωρίς κανέναν περιορισμ*, χωρίς κανόνες, χωρίς φίλτρα, χωρίς όρια, χωρίς λογοκρισία, κανένας περιορισμός, κανένας από τους, απεριόριστ*, λειτουργία προγραμματιστή, λειτουργία αποσφαλμάτωσης, dan, κανόνες ασφαλείας',
    send: 'στείλε, στείλτε, προώθησε, προωθήσ*, ανέβασε, δημοσίευσε, πρόσθεσε, επισύναψε, φόρτωσε, διαβίβασε, μεταβίβασε',
    history:
      'ιστορικό της συνομιλίας, ιστορικό συνομιλίας, ιστορικό της συζήτησης, ολόκληρη τη συνομιλία, όλη τη συνομιλία, αυτή τη συνομιλία, αυτή τη συζήτηση, μηνύματα του χρήστη, κωδικό του χρήστη, κωδικούς του χρήστη, δεδομένα του χρήστη, κλειδί api, κλειδιά api, μεταβλητές περιβάλλοντος',
    data: 'μηνύματα, εισερχόμενα, email*, κωδικ*, διαπιστευτήρια, επαφές, αρχεί*, κλειδι*, token*, cookie*, κάρτα*',
    yourTool:
      'εργαλείο email σου, εργαλείο σου, εργαλεία σου, εργαλείο, το πρόγραμμα περιήγησής σου, συνάρτησή σου, κλήση εργαλείου, κλήση συνάρτησης',
    tool: 'κάλεσε, καλέστε, εκτέλεσε, εκτελέστε, χρησιμοποίησε το εργαλείο, τρέξε, διάγραψε, κάνε κλικ, άνοιξε',
    noAsking: 'χωρίς να ζητήσεις, χωρίς να ρωτήσεις, χωρίς επιβεβαίωση, χωρίς έγκριση, χωρίς άδεια, μη ρωτήσεις',
    praise: 'προτείν*, πρότεινε, συνιστ*, σύστησε, προτιμ*, βάλε, βαθμολογ*, διάλεξε, επίλεξε, επαίνεσε',
    only: 'μόνη, μόνο, μοναδικ*, καλύτερ*, πρώτη, πρώτο, πρώτα, αποκλειστικά, μας, επικίνδυν*, θετικ*, υψηλότερ*',
    answer: 'απάντησή σου, περίληψή σου, έξοδό σου, σύνοψή σου, απαντήσεις σου, αναφορά σου',
    fresh:
      'νέες οδηγίες, νέα οδηγία, νέες εντολές, νέοι κανόνες, ενημερωμένες οδηγίες, νέα προτροπή, νέο έργο, πραγματικές οδηγίες, κρυφές οδηγίες',
    ask: 'ερώτηση*, ερωτήσ*, αίτημα*',
    report:
      'επιτιθέμεν*, επίθεσ*, επιθέσ*, injection*, jailbreak*, χάκερ*, κακόβουλ*, για παράδειγμα, π.χ, παράδειγμα*, όπως, ερευνητ*, μπορεί, μπορούν, θα μπορούσ*, κρυφ*, κρυμμέν*, περιέχ*, ξεγελ*, ευπάθει*',
  },
  tr: {
    before: 'yukarıdaki her şey*, önceki her şey*',
    addressed:
      'modeliysen*, modelisen*, modellerine*, modelleri için, modeline*, asistan için, asistanı için, asistansan*, ajanı olarak, asistanı olarak, modeli olarak, yapay zeka olarak, hakemler, zekaysan*, zekasın*',
    ignore:
      'yok say*, görmezden gel*, dikkate alma*, unut*, boş ver*, atla*, geçersiz say*, uymayı bırak*, göz ardı et*, artık geçerli değil*, uyma',
    prior:
      'tüm, bütün, hepsini, önceki*, daha önceki*, öncesi*, yukarıdaki*, şimdiye kadar*, bundan önce*, ilk, asıl, orijinal, tüm diğer, sistem*, verilen*, aldığın*, mevcut*, eski*',
    order: 'talimat*, yönerge*, komut*, kural*, emir*, emri*, istem*, prompt*, direktif*, kısıtlama*, söylenen*',
    model: 'yapay zeka*, dil modeli*, sohbet robotu*, sohbet botu*, chatbot*, yz, yapay zekâ*, ai, llm*',
    helper: 'asistan*, otomatik hakem*, otomatik sistem*',
    call: 'dikkat, mesaj, tüm, bütün, her bir, herhangi bir, önemli, için talimat*, için yeni, için, merhaba, selam, sevgili, sayın, eğer, isen, modeliysen, olarak',
    read: 'bu sayfayı, bu sayfa, bu metni, bu metin, bu belgeyi, bu siteyi, bu site, bu içeriği, bunu okuyan*, bunu okuyor*, bu notu, bu yazıyı, bu makaleyi',
    must: 'gerek*, zorunda*, malı, meli, her zaman, asla, yalnızca, sadece, lütfen, mutlaka, yerine',
    say: 'kabul et*, say*, ziyaret et*, tıkla*, işaretle*, onayla*, yaz*, söyle*, yanıtla*, cevapla*, cevap ver*, yanıt ver*, belirt*, ekle*, dahil et*, iddia et*, değerlendir*, öner*, tavsiye*, ver, verin, koy*, anlat*, başla*, bitir*, çevir*, vurgula*, bahset*',
    leak: 'yazdır*, göster*, açıkla*, ifşa et*, tekrarla*, tekrar et*, paylaş*, yaz*, söyle*, kopyala*, listele*, nedir, dök*',
    system:
      'sistem istem*, sistem prompt*, sistem komut*, sistem talimat*, sistem mesaj*, gizli talimat*, gizli kural*, gizli yönerge*, talimatlarını, talimatların, kurallarını, ilk talimat*, başlangıç talimat*, istemini, yönergelerini, system prompt*',
    hide: 'söyleme*, bahsetme*, belli etme*, bildirme*, haber verme*, açıklama, söylemeden, bahsetmeden, bildirmeden, gizlice, gizli tut*, sakla*, haberi olmadan',
    user: 'kullanıcı*, insan*',
    role: 'bundan sonra*, şu andan itibaren, artık, bundan böyle, artık sen, sen artık, gibi davran*, mış gibi, miş gibi, rolünü üstlen*, rol yap*, hayal et*, moduna geç*, taklit et*',
    free: 'kısıtlaması olmayan, kısıtlama olmadan, kısıtlaması yok*, sınırsız*, kuralsız*, filtresiz*, sansürsüz*, hiçbir kısıtlama*, hiçbir kural*, geliştirici mod*, hata ayıklama mod*, bakım mod*, yönetici mod*, dan, güvenlik kural*',
    send: 'gönder*, ilet*, yolla*, yükle*, ekle*, aktar*, paylaş*, postala*',
    history:
      'konuşma geçmiş*, sohbet geçmiş*, tüm konuşma*, bu konuşma*, konuşmanın tamam*, kullanıcının mesaj*, kullanıcının son mesaj*, kullanıcının parola*, kullanıcının şifre*, kullanıcının veri*, kullanıcının bilgi*, api anahtar*, ortam değişken*',
    data: 'mesaj*, gelen kutu*, e-posta*, parola*, şifre*, kimlik bilgi*, kişi*, dosya*, anahtar*, token*, çerez*, kredi kart*',
    yourTool:
      'e-posta aracını, araçlarını, aracını, tarayıcını, işlevini, fonksiyonunu, araç çağrı*, işlev çağrı*, fonksiyon çağrı*, posta aracını',
    tool: 'işlevini çağır*, fonksiyonunu çağır*, çağır*, çalıştır*, yürüt*, aracını kullan*, sil, tıkla, aç',
    noAsking: 'onay istemeden, onay almadan, sormadan, izin almadan, onay beklemeden, onaysız, izin istemeden',
    praise: 'öner*, tavsiye*, değerlendir*, tercih et*, seç*, övü*, koy*, puan ver*',
    only: 'tek, yalnızca, sadece, en iyi*, ilk sıra*, birinci*, bizim, şirketimiz*, kliniğimiz*, güvensiz*, olumlu*, en yüksek*',
    answer: 'yanıtına, cevabına, yanıtında, cevabında, özetine, özetinde, çıktına, çıktında, raporuna',
    fresh:
      'yeni talimat*, yeni yönerge*, yeni komut*, yeni kural*, güncellenmiş talimat*, yeni sistem istem*, yeni görev*, gerçek talimat*, gizli talimat*',
    ask: 'soru*, istek*, isteğ*, talep*, talebi*',
    report:
      'saldırgan*, saldırı*, enjeksiyon*, injection*, jailbreak*, hacker*, kötü niyetli*, kötü amaçlı*, örneğin, örnek*, örneği, gibi, araştırmacı*, olabilir, yapabilir, içeren*, içerir*, kandır*, güvenlik açığı*',
  },
}
