/**
 * Common long passwords, and the words that such passwords are made of: lower case, without separators. Repetitions and
 * keyboard rows are detected by rules instead.
 */
const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

export const COMMON_PASSWORDS = words(`
  adminadministrator administrator administrator1 allyouneedislove alwaysandforever
  anotherpassword applepieapple areyoukiddingme arsenalfootball babygirl4life bananabanana
  barcelonafc basketball barcelonabarcelona beautifulgirl believeinyourself bestfriends4ever
  bestfriendsforever bluebluebluesky butterflies buttercup1234 californication
  californiadreaming changemeplease changemenow changethispassword chelseafootball
  chocolatecake chocolatechip christopher christmastime computercomputer
  correcthorsebatterystaple correcthorse defaultpassword donotforget dontforgetit
  dontforgetme dragonballsuper dragonballz elephantelephant enterpassword everythingisfine
  everythingisawesome familyiseverything firstpassword followthewhiterabbit footballfootball
  foreverandever foreveryoung forgetmenot forgotpassword freedomfreedom fuckyoufuckyou
  gameofthrones genericpassword getmeoutofhere godblessyou godisgood goodmorning
  goodmorningsunshine guessmypassword hakunamatata halloweennight happybirthday
  happybirthdaytoyou happynewyear harrypotter hellohellohello hellokitty hellomynameis
  helloworld helloworldhello helpmeplease idontknow idontknowmypassword idontremember
  iforgotmypassword ihatepasswords ihatethispassword ihateyou iliketurtles ilovecats
  ilovechocolate ilovefootball ilovejesus ilovemusic ilovemydog ilovemyfamily ilovemylife
  ilovemymom ilovemywife ilovepizza iloveyou iloveyouall iloveyoubaby iloveyouforever
  iloveyousomuch iloveyoutoo inthebeginning itsasecret jesuschrist jesusislord jesuslovesme
  jesusloves justinbieber keepitsecret kingofthehill lakersbasketball leavemealone letmein
  letmeinletmein letmeinnow letmeinplease liverpoolfc livelaughlove liverpool longpassword
  lordoftherings loveislove lovelovelove loveyouforever manchesterunited mastermaster
  masterpassword maythefourth maythefourthbewithyou maytheforcebewithyou merrychristmas
  metallica michaeljackson minecraftminecraft monkeymonkey mybirthday mynameis
  mynewpassword mypassword mypasswordis mysecretpassword myverysecurepassword newpassword
  neverforget nevergiveup nevergonnagiveyouup nopassword nosecret notapassword onceuponatime
  onedirection openingsesame opensesame passphrase password passwordpassword passwordword
  paymentorders paymentorder pleaseletmein pleasework pokemonpokemon princessprincess
  qwertyqwerty realmadridcf rockyoubaby rememberme rememberthis rockandroll rockyou
  sanfrancisco secret secretpassword secretsecret securepassword securityfirst
  sevendwarfs shadowshadow somepassword somethingsecret spongebob spongebobsquarepants
  starwars starwarsfan startrek startrekvoyager stayhungrystayfoolish strongpassword
  sunshinesunshine superman supermanbatman supersecret supersecretpassword superuser
  temporarypassword temppassword testpassword testtesttest thequickbrownfox
  theanswerisfortytwo thebestpassword thebestpasswordever thisisapassword thisismypassword
  thisisnotapassword thisisasecret thisissecret threeblindmice timberlake tobeornottobe
  tobeornottobethatisthequestion topsecret trustno1 trustnoone unbelievable universityofphoenix
  verysecret verysecurepassword victoriasecret welcome welcomehome welcometothejungle
  whateverwhatever whatismypassword whatsmypassword whoknows winteriscoming yourpassword
  youknownothing yousuck zaq12wsxcde3
`);

/** A password that consists only of these words, digits and signs is rejected. */
export const COMMON_WORDS = words(`
  abc account admin administrator apple april august autumn baby banana baseball basketball batman
  berlin butterfly change changeme charlie chelsea chocolate computer cookie december default dragon
  eagles easter fall february flower football forever freedom friday friend google guest hannah
  happy heaven hello hockey hunter iloveyou internet january jesus jordan july june killer
  letmein liverpool login london lovely love magic march master matrix merlin michael monday monkey
  mustang my nothing november october office orange order paris pass passord password passwort
  payment pepper pokemon princess purple qwerty ranger root samsung saturday secret september shadow
  shop soccer spring starwars summer sunday sunshine superman test thomas thursday tigger trustno
  tuesday user wednesday welcome whatever winter yellow
`);
