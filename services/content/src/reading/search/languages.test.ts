import { afterAll, beforeAll, expect, test } from "vitest";
import { fold } from "../../lexemes/fold.js";
import { contentTest } from "../../testing/content.js";
import { spaceWith, titles } from "./testing.js";

const t = await contentTest();
afterAll(t.drop);
const admin = t.as({ acme: "admin" });

const PAGES: Record<string, string> = {
  Chinese: "資料庫管理系統可以把網站的內容安全地保存起來，安裝之後請先閱讀設定手冊。",
  Simplified: "我们的文档平台支持全文搜索，读者可以在几秒钟内找到需要的页面。",
  Japanese: "このページでは、データベースのバックアップを復元する方法と注意点を説明します。",
  Korean: "새로운 문서를 만들려면 왼쪽 메뉴에서 공간을 선택하고 편집 버튼을 누르세요.",
  Thai: "เอกสารฉบับนี้อธิบายวิธีติดตั้งระบบฐานข้อมูลและการสำรองข้อมูล",
  Arabic: "تَشرح هذه الصفحة كيفية تثبيت المنصّة على الخادم وإدارة صلاحيات المستخدمين والمؤسسات.",
  Hebrew: "המדריך הזה מסביר כיצד להתקין את המערכת בשרת ולנהל הרשאות של משתמשים בצה״ל.",
  Vietnamese: "Trang này hướng dẫn cách cài đặt cơ sở dữ liệu và khôi phục bản sao lưu.",
  Greek: "Αυτή η σελίδα εξηγεί την εγκατάσταση της βάσης δεδομένων στους διακομιστές μας.",
  Russian: "Эта страница объясняет, как настроить ещё один сервер базы данных.",
  German: "Die Größe der Anhänge ist über die Schaltfläche „Einstellungen“ begrenzt; siehe Straße.",
  Turkish: "İSTANBUL sunucusundaki yedekleme ayarlarını buradan değiştirebilirsiniz.",
  Persian: "این صفحه نصب پایگاه داده و مدیریت کاربران را توضیح می‌دهد.",
  Hindi: "यह पृष्ठ डेटाबेस स्थापित करने की विधि बताता है।",
};
let spaceId: string;
beforeAll(async () => {
  spaceId = await spaceWith(
    t,
    Object.entries(PAGES).map(([language, text]) => `# ${language}\n\n## …\n\n${text}\n`),
  );
});

test.each([
  ["Chinese", "資料庫"],
  ["Chinese", "管理系統"],
  ["Chinese", "資料庫 手冊"],
  ["Chinese", "安裝資料庫"],
  ["Chinese", '"內容安全地"'],
  ["Chinese", "庫管"],
  ["Simplified", "全文搜索"],
  ["Simplified", "页面"],
  ["Simplified", "搜索文档"],
  ["Japanese", "データベース"],
  ["Japanese", "バックアップの復元"],
  ["Japanese", "ﾊﾞｯｸｱｯﾌﾟ"],
  ["Japanese", "注意点"],
  ["Korean", "문서"],
  ["Korean", "문서를"],
  ["Korean", "편집 버튼"],
  ["Korean", "공간".normalize("NFD")],
  ["Thai", "ฐานข้อมูล"],
  ["Thai", "ติดตั้ง"],
  ["Thai", "สำรองข้อมูล"],
  ["Arabic", "المنصة"],
  ["Arabic", "منصة"],
  ["Arabic", "للمنصة"],
  ["Arabic", "تثبيت الخادم"],
  ["Arabic", "تشرح"],
  ["Arabic", "صفحـــة"],
  ["Arabic", "مؤسسات"],
  ["Arabic", "اداره"],
  ["Hebrew", "מערכת"],
  ["Hebrew", "המערכת"],
  ["Hebrew", "במערכת"],
  ["Hebrew", "שרת"],
  ["Hebrew", "הַמַּעֲרֶכֶת"],
  ["Hebrew", 'צה"ל'],
  ["Hebrew", "מערכות"],
  ["Vietnamese", "co so du lieu"],
  ["Vietnamese", "CƠ SỞ DỮ LIỆU"],
  ["Greek", "σελιδα"],
  ["Greek", "ΔΙΑΚΟΜΙΣΤΈΣ"],
  ["Russian", "еще"],
  ["Russian", "СЕРВЕР"],
  ["German", "grosse"],
  ["German", "STRASSE"],
  ["German", "anhange"],
  ["German", "ＥＩＮＳＴＥＬＬＵＮＧＥＮ"],
  ["Turkish", "istanbul"],
  ["Turkish", "ayarlarini"],
  ["Persian", "كاربران"],
  ["Persian", "پایگاه داده"],
  ["Hindi", "डेटाबेस"],
])("%s text is found by %s", async (language, query) => {
  const found = await admin.search.inSpace({ spaceId, query });
  expect(titles(found)[0]).toBe(language);
  expect(found.items[0]!.sections!.length).toBeGreaterThan(0);
});

test.each(["庫理", "문공", '"ฐานภาษา"', "منصات", "תלמידים", '"手冊資料"'])(
  "%s, which is on no page, is not found",
  async (query) => {
    expect(titles(await admin.search.inSpace({ spaceId, query }))).toEqual([]);
  },
);

test.each([
  ["資料庫管理系統可以把網站的內容", "Chinese"],
  ["データベースのバ", "Japanese"],
  ["ติดตั้งระบบฐา", "Thai"],
  ["المن", "Arabic"],
  ["המער", "Hebrew"],
  ["편", "Korean"],
])("while it is typed, %s is found", async (typed, language) => {
  for (let length = 1; length <= typed.length; length += 1) {
    const query = typed.slice(0, length);
    expect(titles(await admin.search.inSpace({ spaceId, query })), query).toContain(language);
  }
});

test("folding what is folded changes nothing", () => {
  for (const text of [
    ...Object.values(PAGES),
    "ÅŒẞﬁ㎏①ﾊﾟ",
    "İıΣΑΣ",
    "لإلآأٱ",
    "น้ำ",
    "e\u0301\u0327",
    "한글",
  ]) {
    expect(fold(fold(text))).toBe(fold(text));
  }
});
