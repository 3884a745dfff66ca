import type { RefundPageMessages } from '../messages.js';

export const nl: RefundPageMessages = {
  title: 'Uw terugbetaling',
  why: '{merchant} betaalt u {amount} terug. De bank heeft ons niet laten weten vanaf welke rekening u hebt betaald. Vul daarom in waar het geld naartoe moet.',
  holder: 'Rekeninghouder',
  iban: 'IBAN',
  once: 'Controleer uw gegevens: u kunt ze daarna niet meer wijzigen.',
  send: 'Terugbetalen op deze rekening',
  faults: {
    holder: 'Vul de naam van de rekeninghouder in, met maximaal 70 tekens.',
    iban: 'Dit is geen geldige IBAN. Vergelijk deze met uw bankpas of een afschrift.',
    unreachable:
      'Deze rekening kan geen overboekingen in euro ontvangen. Vul een rekening in bij een bank in het SEPA-gebied.',
  },
  entered: {
    title: 'Dank u wel',
    text: '{amount} gaat naar rekening {account}. Na een controle van minstens één dag duurt de overboeking meestal één tot twee bankdagen.',
    warning: 'Hebt u deze rekening niet ingevuld? Neem dan direct contact op met {merchant}.',
  },
  sent: {
    title: 'Uw terugbetaling is verstuurd',
    text: '{amount} is overgemaakt naar rekening {account}.',
  },
  ended: {
    title: 'Deze terugbetaling is afgesloten',
    text: 'Hier kan geen rekening meer worden ingevuld. Verwacht u nog geld? Neem dan contact op met {merchant}.',
  },
};
